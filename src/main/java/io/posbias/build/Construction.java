package io.posbias.build;

import io.posbias.Session;
import io.posbias.encode.Engine;
import io.posbias.encode.api.ChatSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What is to be made, of what, and where.
 *
 * @param pipeline how
 * @param inputs files and folders of documents
 * @param textField the field of rows that holds a document's text
 * @param out the folder of stages and results
 * @param engine what models run on; its session is told what is done, its limit holds for all services
 * @param chats who is asked for each role, and how
 * @param concurrency calls of a language model under way at a time, at least 1; results do not depend on it
 */
public record Construction(
        Pipeline pipeline,
        List<Path> inputs,
        String textField,
        Path out,
        Engine engine,
        Map<String, ChatSettings> chats,
        int concurrency) {
    /** Of the run. */
    public Session session() {
        return engine.session();
    }
}
