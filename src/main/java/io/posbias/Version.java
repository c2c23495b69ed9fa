package io.posbias;

/** The version of this build, as the jar's manifest says it. */
public final class Version {
    private Version() {}

    /** For example {@code 0.1.0}; {@code development} when classes do not come from the jar. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
