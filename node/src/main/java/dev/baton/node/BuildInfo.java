package dev.baton.node;

import java.util.Optional;

/** Which Baton this is. */
public final class BuildInfo {

    private BuildInfo() {}

    public static String version() {
        return Optional.ofNullable(BuildInfo.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    /** The commit it was built from, if whoever started the process said so. */
    public static String commit() {
        return Optional.ofNullable(System.getProperty("baton.commit")).orElse("unknown");
    }
}
