package dev.baton.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The picture in the architecture page, as rules. */
@AnalyzeClasses(
        packages = "dev.baton",
        importOptions = {ImportOption.DoNotIncludeTests.class, RoomsTest.NoTestJars.class})
class RoomsTest {

    /** Tests of other rooms come in jars of their own, and may use what their room may not. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String[] ENGINE_LIBRARIES = {"org.apache.ratis..", "io.lettuce..", "io.etcd..", "io.nats.."};

    @ArchTest
    static final ArchRule authoritiesKnowCoreAndTheirContractOnly = noClasses()
            .that()
            .resideInAPackage("dev.baton.authority..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.baton.duty..",
                    "dev.baton.seat..",
                    "dev.baton.node..",
                    "dev.baton.cli..",
                    "dev.baton.sim..",
                    "dev.baton.bench..");

    @ArchTest
    static final ArchRule noAuthorityKnowsAnother =
            slices().matching("dev.baton.authority.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule dutiesKnowNoEngineAndNoDriver = noClasses()
            .that()
            .resideInAPackage("dev.baton.duty..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.baton.authority..",
                    "dev.baton.seat..",
                    "dev.baton.node..",
                    "dev.baton.cli..",
                    "dev.baton.sim..",
                    "dev.baton.bench..");

    @ArchTest
    static final ArchRule noDutyKnowsAnother =
            slices().matching("dev.baton.duty.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule theDriverKnowsContractsOnly = classes()
            .that()
            .resideInAPackage("dev.baton.seat..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.baton.seat..",
                    "dev.baton.core..",
                    "dev.baton.authority",
                    "dev.baton.duty",
                    "java..",
                    "org.slf4j..",
                    "org.jspecify..");

    /** The benchmarks may use a bare library: they measure an engine beside it. */
    @ArchTest
    static final ArchRule engineTypesStopAtTheirRoom = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.baton.authority.raft..",
                    "dev.baton.authority.redis..",
                    "dev.baton.authority.etcd..",
                    "dev.baton.authority.nats..",
                    "dev.baton.duty.mempool.redis..",
                    "dev.baton.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ENGINE_LIBRARIES);

    @ArchTest
    static final ArchRule theControlPlaneKnowsNoNodeAndNoEngine = noClasses()
            .that()
            .resideInAPackage("dev.baton.control..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.baton.node..", "dev.baton.authority..", "dev.baton.cli..", "picocli..");

    @ArchTest
    static final ArchRule theNodeKnowsNoCommandLine = noClasses()
            .that()
            .resideInAPackage("dev.baton.node..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.baton.cli..", "dev.baton.bench..", "dev.baton.sim..", "picocli..");

    /** It may stand before any server, and must be as small as a thing in everybody's way can be. */
    @ArchTest
    static final ArchRule theProxyKnowsNodesByTheirPagesOnly = noClasses()
            .that()
            .resideInAPackage("dev.baton.proxy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.baton.core..",
                    "dev.baton.seat..",
                    "dev.baton.duty..",
                    "dev.baton.authority..",
                    "dev.baton.node..",
                    "dev.baton.cli..",
                    "picocli..");

    @ArchTest
    static final ArchRule theConsoleShowsWhatItIsGivenAndKnowsNobody = classes()
            .that()
            .resideInAPackage("dev.baton.console..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.baton.console..", "dev.baton.core..", "java..", "org.jspecify..");
}
