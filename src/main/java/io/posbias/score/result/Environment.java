package io.posbias.score.result;

import io.posbias.base.process.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;

/** Software and machine in result.json. */
public final class Environment {
    private Environment() {}

    /** Returns names and values; nothing personal. */
    public static Map<String, Object> describe(int threads) {
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("posbias", Version.text());
        environment.put("java", System.getProperty("java.vm.version") + " " + System.getProperty("java.vendor"));
        environment.put("lucene", String.valueOf(IndexWriter.class.getPackage().getImplementationVersion()));
        environment.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        environment.put("processors", Runtime.getRuntime().availableProcessors());
        environment.put("threads", threads);
        return environment;
    }
}
