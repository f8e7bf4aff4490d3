package dev.baton.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Which baton this is: the version of its jar, and the commit if {@code ./baton} knows it. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("development");
        String commit = System.getProperty("baton.commit", "");
        return new String[] {"baton " + version + (commit.isEmpty() ? "" : " (" + commit + ")")};
    }
}
