package io.posbias.base.process;

/** The version in the jar's manifest. */
public final class Version {
    private Version() {}

    /** For example {@code 0.1.0}; {@code development} outside a jar. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
