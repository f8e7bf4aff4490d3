package dev.baton.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The core is a function: whatever it needs to know reaches it as an input. */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.baton.core");

    @Test
    void coreDependsOnTheJdkAndJSpecifyOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.baton.core..", "java..", "org.jspecify.annotations..")
                .check(CORE);
    }

    @Test
    void coreKnowsNoSocketsFilesThreadsOrLoggers() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.util.concurrent..",
                        "java.util.logging..",
                        "java.sql..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(File|RandomAccessFile|PrintStream).*")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.lang\\.(Thread|ThreadLocal|Process|ProcessBuilder|Runtime|System\\$Logger)(\\$.*)?")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.Timer.*")
                .check(CORE);
    }

    @Test
    void coreReadsNoClock() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethodWhere(com.tngtech.archunit.base.DescribedPredicate.describe(
                        "now() of java.time",
                        call -> call.getTargetOwner().getPackageName().equals("java.time")
                                && call.getName().equals("now")))
                .check(CORE);
    }

    @Test
    void coreDrawsNoRandomNumbers() {
        noClasses()
                .should()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.(Random|SplittableRandom|random\\..*|UUID)|java\\.security\\.SecureRandom")
                .check(CORE);
    }
}
