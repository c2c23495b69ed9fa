package io.posbias.study.probe.redocred;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.RowFile;
import io.posbias.study.probe.ProbeType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Imports the released pairs of "Collapse of Dense Retrievers" (Fayyaz et al. 2025, arXiv:2503.05037), on which the paper's
 * Tables 4, A.8 and A.9 and Figure 3 were measured.
 *
 * @param files of mohsenfayyaz/ColDeR on the Hub: rows with {@code document_1} and {@code document_2}
 */
public record ColderImport(List<Path> files) {
    private static final String FIRST = "document_1";
    private static final String SECOND = "document_2";

    private static final Map<String, String> TAGS = Collections.unmodifiableMap(new TreeMap<>(Map.of(
            "title", "title",
            "relation", "relation",
            "head", "head_entity_longest_name",
            "tail", "tail_entity_longest_name")));

    /**
     * A released file.
     *
     * @param rivalFirst true if {@code document_1} is the rival of the right text, which is our second
     */
    private record Released(String probe, boolean rivalFirst) {}

    private static final Map<String, Released> RELEASED = Collections.unmodifiableMap(new TreeMap<>(Map.of(
            "poison", new Released("poison", true),
            "foil", new Released("foil", true),
            "position_bias", new Released("position", false),
            "brevity_bias", new Released("brevity", false),
            "repetition_bias", new Released("repetition", false),
            "literal_bias", new Released(LiteralProbe.SHORT.name(), false),
            "answer_importance", new Released("answer", false))));

    private record ImportCard(String schema, String source, String citation, List<ImportEntry> files) {}

    /** A file in {@code probes.yaml}. */
    private record ImportEntry(String file, String sha256, String probe, int records) {}

    /**
     * Writes one file per probe and {@code probes.yaml} atomically.
     *
     * @throws BadInputException if a row lacks a column
     * @throws UsageException if two files hold the same probe
     */
    public void write(Staging staging, Consumer<String> lines) {
        Map<String, Path> fileOf = new LinkedHashMap<>();
        List<ImportEntry> entries = new ArrayList<>();
        for (Path file : files) {
            List<ProbeRecord> records = read(file);
            String probe = records.getFirst().probe();
            Path earlier = fileOf.put(probe, file);
            if (earlier != null) {
                throw new UsageException(earlier + " and " + file + " both hold " + probe + ": give one of them");
            }
            ProbeFolder.write(staging.folder(), probe, records);
            entries.add(
                    new ImportEntry(String.valueOf(file.getFileName()), Checksums.sha256(file), probe, records.size()));
        }
        ProbeFolder.describe(
                staging.folder(),
                new ImportCard(
                        "posbias/colder-import/1",
                        "pairs of the authors of ColDeR, https://huggingface.co/datasets/mohsenfayyaz/ColDeR",
                        "Fayyaz et al. 2025, Collapse of Dense Retrievers, arXiv:2503.05037",
                        entries));
        staging.commitFolder();
        entries.forEach(entry ->
                lines.accept(entry.probe() + ": " + Plural.of(entry.records(), "record") + " of " + entry.file()));
    }

    private static List<ProbeRecord> read(Path file) {
        List<ProbeRecord> records = new ArrayList<>();
        String stem =
                String.valueOf(file.getFileName()).replaceFirst("\\..*", "").toLowerCase(Locale.ROOT);
        RowFile.open(file).forEach(row -> {
            Released released = RELEASED.get(stem);
            if (released == null) {
                throw row.bad(
                        FIRST,
                        "is of an unknown probe",
                        "rename the file to what it was released as: "
                                + RELEASED.keySet().stream()
                                        .map(name -> name + ".jsonl")
                                        .collect(Collectors.joining(", ")));
            }
            records.add(record(released, row, records.size()));
        });
        if (records.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no row", "a row is a query with two documents");
        }
        return records;
    }

    private static ProbeRecord record(Released released, Fields row, int before) {
        Map<String, Object> tags = new LinkedHashMap<>();
        TAGS.forEach((tag, column) -> {
            if (row.has(column)) {
                tags.put(tag, text(row, column));
            }
        });
        if (released.probe.equals(RedocredProbes.poisoned())) {
            tags.put("poison_by", "gpt-4o, as released");
        }
        ProbeType type = RedocredProbes.type(released.probe);
        return new ProbeRecord(
                released.probe,
                row.has("id") ? row.id("id") : "row" + (before + 1),
                text(row, row.named("query", "query_question")),
                text(row, released.rivalFirst ? SECOND : FIRST),
                text(row, released.rivalFirst ? FIRST : SECOND),
                type.firstIsRight() && !released.probe.equals("answer") ? evidence(row) : null,
                tags,
                null,
                null);
    }

    private static @Nullable String evidence(Fields row) {
        String column = row.named("evidence_sents", "evidence_sentence");
        return row.has(column) ? text(row, column) : null;
    }

    /** A string, or sentences or tokens joined by spaces. */
    private static String text(Fields row, String column) {
        Object raw = row.raw(column);
        String text = raw == null ? "" : joined(row, column, raw).strip();
        if (text.isEmpty()) {
            throw row.bad(column, raw == null ? "is missing" : "is empty", "it must hold a text");
        }
        return text;
    }

    private static String joined(Fields row, String column, @Nullable Object text) {
        if (text instanceof List<?> parts) {
            return parts.stream().map(part -> joined(row, column, part)).collect(Collectors.joining(" "));
        }
        if (text instanceof String string) {
            return string;
        }
        throw row.bad(column, "holds " + Printable.cut(String.valueOf(text)), "it must be a text or a list of texts");
    }
}
