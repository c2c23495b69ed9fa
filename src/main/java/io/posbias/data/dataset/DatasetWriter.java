package io.posbias.data.dataset;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a benchmark in BEIR's layout in the order of calls, then the card with the files' digests. Equal calls give
 * equal bytes.
 */
public final class DatasetWriter implements AutoCloseable {
    private final Path folder;
    private final boolean gzip;
    private final OutputStream corpus;
    private final OutputStream questions;
    private final OutputStream qrels;
    private final List<String> notes = new ArrayList<>();
    private final Language.Letters letters = new Language.Letters();
    private final Set<String> articles = new HashSet<>();
    private boolean haveCommonArticles;
    private final List<String> sample = new ArrayList<>();
    private int passages;
    private int queries;

    /**
     * @param folder must exist
     * @param gzip compresses corpus and queries
     */
    public DatasetWriter(Path folder, boolean gzip) {
        this.folder = folder;
        this.gzip = gzip;
        try {
            Files.createDirectories(folder.resolve("qrels"));
            corpus = open("corpus.jsonl");
            questions = open("queries.jsonl");
            qrels = new BufferedOutputStream(Files.newOutputStream(folder.resolve("qrels/test.tsv")));
            qrels.write("query-id\tcorpus-id\tscore\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            throw IoErrors.refused("write", folder, refused);
        }
    }

    public Path folder() {
        return folder;
    }

    public List<String> notes() {
        return notes;
    }

    public void note(String line) {
        notes.add(line);
    }

    public void passage(Passage passage) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("_id", passage.id());
        if (!passage.title().isEmpty()) {
            row.put("title", passage.title());
        }
        row.put("text", passage.text());
        if (!passage.article().equals(passage.title())) {
            row.put(Passages.METADATA, Map.of(Passages.ARTICLE, passage.article()));
        }
        write(corpus, Json.toLine(row));
        haveCommonArticles |= !passage.article().isEmpty() && !articles.add(passage.article());
        letters.add(passage.text());
        if (passages++ < LanguageGuess.TEXTS) {
            sample.add(passage.text());
        }
    }

    /** Returns the number of passages so far. */
    public int passages() {
        return passages;
    }

    /** Returns the number of queries so far. */
    public int queries() {
        return queries;
    }

    public void query(Query query) {
        query(query, false);
    }

    /**
     * @param unanswerable true for a judged query without judgements
     */
    public void query(Query query, boolean unanswerable) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("_id", query.id());
        row.put("text", query.text());
        if (query.evidence() != null) {
            row.putAll(EvidenceFields.write(query.evidence()));
        }
        if (query.passage() != null) {
            row.put(EvidenceFields.PASSAGE, query.passage());
        }
        if (!query.excluded().isEmpty()) {
            row.put(EvidenceFields.EXCLUDED, query.excluded());
        }
        if (query.variant() != null) {
            row.putAll(EvidenceFields.write(query.variant()));
        }
        if (!query.answers().isEmpty()) {
            row.put(Answers.FIELDS.getFirst(), query.answers());
        }
        if (unanswerable) {
            row.put(EvidenceFields.UNANSWERABLE, true);
        }
        write(questions, Json.toLine(row));
        queries++;
    }

    public void judgment(String query, String passage, int grade) {
        write(qrels, (query + "\t" + passage + "\t" + grade + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Detects the passages' language if the card has none, and notes it. */
    public DatasetCard detected(DatasetCard card) {
        LanguageGuess guess = card.language().isEmpty() ? LanguageGuess.of(sample) : new LanguageGuess("", 0);
        if (!guess.code().isEmpty()) {
            note(guess.note());
        }
        return guess.isSure() ? card.with(DatasetCard.Field.LANGUAGE, guess.code()) : card;
    }

    /**
     * Closes the files and writes the card with their digests, and with the article as cluster if several
     * passages are of one and the card does not say.
     *
     * @throws PosbiasException if the passages' script does not match the card's language
     */
    public void finish(DatasetCard given) {
        DatasetCard card = detected(given);
        letters.check(card.language());
        close();
        boolean isByArticle =
                haveCommonArticles && card.text(DatasetCard.Field.CLUSTER).isEmpty();
        DatasetCard own = isByArticle ? card.with(DatasetCard.Field.CLUSTER, DatasetCard.ARTICLE) : card;
        own.withSha256(DatasetFiles.find(folder).checksums()).write(folder);
    }

    @Override
    public void close() {
        IoErrors.run("write", folder, () -> {
            try (corpus;
                    questions;
                    qrels) {
                corpus.flush();
            }
        });
    }

    private OutputStream open(String name) throws IOException {
        Path file = folder.resolve(gzip ? name + ".gz" : name);
        OutputStream out = Files.newOutputStream(file);
        return new BufferedOutputStream(gzip ? new GZIPOutputStream(out, 1 << 16) : out, 1 << 16);
    }

    private void write(OutputStream out, byte[] line) {
        IoErrors.run("write", folder, () -> out.write(line));
    }
}
