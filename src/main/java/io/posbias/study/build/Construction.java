package io.posbias.study.build;

import io.posbias.base.process.Session;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A run of a pipeline on documents.
 *
 * @param inputs files and folders
 * @param textField field of rows with the document's text
 * @param out folder of stages and results
 * @param chats language models by role
 * @param concurrency simultaneous calls of a language model, at least 1; results do not depend on it
 */
public record Construction(
        Pipeline pipeline,
        List<Path> inputs,
        String textField,
        Path out,
        Engine engine,
        Map<String, ChatSettings> chats,
        int concurrency) {
    public Session session() {
        return engine.session();
    }
}
