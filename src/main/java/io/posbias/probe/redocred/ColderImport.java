package io.posbias.probe.redocred;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Location;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.dataset.RowFile;
import io.posbias.probe.ProbeType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The authors' own pairs of "Collapse of Dense Retrievers" (Fayyaz et al. 2025, arXiv:2503.05037) as posbias's: what the paper's
 * Tables 4, A.8 and A.9 and Figure 3 were measured on.
 *
 * @param files as released, or as the notebooks have them; {@link ColderLayout} knows both
 */
public record ColderImport(List<Path> files) {
    private static final String QUERY = "query|query_question";
    private static final String SHORT_QUERY = "query_short_name|query_short";
    private static final String LONG_QUERY = "query_long_name|query_long";

    /** Tags by the columns that have them. */
    private static final Map<String, String> TAGS = new TreeMap<>(Map.of(
            "title", "title",
            "relation", "relation",
            "head", "head_entity_longest_name",
            "tail", "tail_entity_longest_name"));

    private record Card(String schema, String source, String citation, List<Entry> files) {}

    /** What {@code probes.yaml} says of a file that was read. */
    private record Entry(String file, String sha256, String probe, int records) {}

    /**
     * Writes a file for each probe and {@code probes.yaml}, whole or not at all.
     *
     * @param staging for the new folder, or one to replace
     * @param lines takes a line for each file
     * @throws BadInputException if a row lacks a column
     * @throws UsageException if two files hold the same probe
     */
    public void write(Staging staging, Consumer<String> lines) {
        Map<String, Path> fileOf = new LinkedHashMap<>();
        List<Entry> entries = new ArrayList<>();
        for (Path file : files) {
            List<ProbeRecord> records = read(file);
            String probe = records.getFirst().probe();
            Path earlier = fileOf.put(probe, file);
            if (earlier != null) {
                throw new UsageException(earlier + " and " + file + " both hold " + probe + ": give one of them");
            }
            ProbeFolder.write(staging.folder(), probe, records);
            entries.add(new Entry(String.valueOf(file.getFileName()), Checksums.sha256(file), probe, records.size()));
        }
        ProbeFolder.describe(
                staging.folder(),
                new Card(
                        "posbias/colder-import/1",
                        "pairs of the authors of ColDeR, https://huggingface.co/datasets/mohsenfayyaz/ColDeR",
                        "Fayyaz et al. 2025, Collapse of Dense Retrievers, arXiv:2503.05037",
                        entries));
        staging.commitFolder();
        entries.forEach(entry -> lines.accept(entry.probe() + ": " + entry.records() + " records of " + entry.file()));
    }

    private static List<ProbeRecord> read(Path file) {
        List<ProbeRecord> records = new ArrayList<>();
        List<ColderLayout> layouts = new ArrayList<>();
        RowFile.open(file).forEach(row -> {
            if (layouts.isEmpty()) {
                layouts.add(ColderLayout.of(file, row));
            }
            records.addAll(records(layouts.getFirst(), row, records.size()));
        });
        if (records.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no row", "a row is a query with two documents");
        }
        return records;
    }

    /** The notebooks' file of names has all four scores of a query, the released one the two of the short question. */
    private static List<ProbeRecord> records(ColderLayout layout, Fields row, int before) {
        String id = row.has("id") ? row.id("id") : "row" + (before + 1);
        List<String> texts = layout.texts(row);
        if (!layout.probe().equals(LiteralProbe.TYPE.name())) {
            return List.of(record(layout.probe(), id, row, QUERY, texts));
        }
        if (ColderLayout.isReleased(row)) {
            return List.of(record(LiteralProbe.SHORT.name(), id, row, QUERY, texts));
        }
        return List.of(
                named(record(layout.probe(), id, row, LONG_QUERY, texts.reversed()), "long", "short"),
                named(record(layout.probe(), id, row, SHORT_QUERY, texts), "short", "long"));
    }

    private static ProbeRecord named(ProbeRecord record, String asked, String other) {
        return record.with("query_name", asked).with("name1", asked).with("name2", other);
    }

    private static ProbeRecord record(String probe, String id, Fields row, String query, List<String> texts) {
        Map<String, Object> tags = new LinkedHashMap<>();
        TAGS.forEach((tag, column) -> {
            if (row.has(column)) {
                tags.put(tag, ColderLayout.text(row, column));
            }
        });
        if (probe.equals(RedocredProbes.poisoned())) {
            tags.put("poison_by", "gpt-4o, as released");
        }
        ProbeType type = RedocredProbes.type(probe);
        return new ProbeRecord(
                probe,
                id,
                ColderLayout.text(row, query),
                texts.getFirst(),
                texts.getLast(),
                type.firstIsRight() && !probe.equals("answer") ? evidence(row) : null,
                tags,
                null,
                null);
    }

    /** The sentence that readers' answers are judged by. */
    private static @Nullable String evidence(Fields row) {
        String columns = "evidence_sents|evidence_sentence";
        return ColderLayout.column(row, columns) == null ? null : ColderLayout.text(row, columns);
    }
}
