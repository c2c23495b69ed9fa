package io.posbias.report.page;

import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Chart.js from its WebJar.
 *
 * @param version for example {@code 4.5.1}
 * @param source without the link to its source map, which browsers' tools would try to load
 * @param licence must be kept with copies
 */
record ChartLibrary(String version, String source, String licence) {
    private static final String ARTIFACT = "org.webjars.npm/chart.js";

    static ChartLibrary read() {
        // The jar says its version itself, so that it is pinned once, in pom.xml.
        String version = version(text("META-INF/maven/" + ARTIFACT + "/pom.properties"));
        String folder = "META-INF/resources/webjars/chart.js/" + version + "/";
        String source = text(folder + "dist/chart.umd.min.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
        return new ChartLibrary(
                version, source.strip(), text(folder + "LICENSE.md").strip());
    }

    private static String version(String properties) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(properties));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return read.getProperty("version", "");
    }

    private static String text(String resource) {
        try (InputStream in = ChartLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new PosbiasException(
                        "the charting library is missing: lib/ holds no chart.js jar with " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new PosbiasException("cannot read the charting library: " + broken.getMessage(), broken);
        }
    }
}
