package io.posbias.probe.redocred;

import io.posbias.Fields;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of pairs that the authors of ColDeR have: those that they released (mohsenfayyaz/ColDeR on the Hub), whose rows have
 * {@code document_1} and {@code document_2}, and those of their notebooks, whose columns say what the texts are.
 *
 * @param probe what posbias calls the probe
 * @param names what their files are called
 * @param columns of the first and the second text in the notebooks' files, other names of one separated by a bar
 * @param rivalFirst whether the released {@code document_1} is the rival of the right text, which is posbias's first
 */
record ColderLayout(String probe, List<String> names, List<String> columns, boolean rivalFirst) {
    private static final List<String> DOCUMENTS = List.of("document_1", "document_2");

    /** A file of poisons also has the foils' column of evidence, so it comes first. */
    static final List<ColderLayout> ALL = List.of(
            new ColderLayout("poison", List.of("poison"), List.of("sents_complete_w_foil", "poison_doc"), true),
            new ColderLayout("foil", List.of("foil"), List.of("sents_complete_w_foil", "sents_complete_wo_foil"), true),
            new ColderLayout(
                    "position",
                    List.of("position_bias"),
                    List.of("sents_complete_w_evidence_first", "sents_complete_w_evidence_last"),
                    false),
            new ColderLayout(
                    "brevity", List.of("brevity_bias"), List.of("sents_evidence_single", "sents_evidence_doc"), false),
            new ColderLayout(
                    "repetition", List.of("repetition_bias"), List.of("sents_more_heads", "sents_less_heads"), false),
            new ColderLayout(
                    "literal",
                    List.of("literal_bias"),
                    List.of("gold_doc_short_name|doc_short", "gold_doc_long_name|doc_long"),
                    false),
            new ColderLayout(
                    "answer",
                    List.of("answer_importance", "answer_importane", "tail_importance"),
                    List.of("sents_complete_w_beginning", "sents_complete_wo_beginning"),
                    false));

    /**
     * The layout of a file by a row of it: by the columns of its texts, of as many by the file's name, and by that alone where
     * they are {@code document_1} and {@code document_2}.
     *
     * @throws io.posbias.BadInputException if it is none, naming what is missing
     */
    static ColderLayout of(Path file, Fields row) {
        boolean released = isReleased(row);
        return ALL.stream()
                .filter(layout -> released ? layout.isNamed(file) : layout.found(row) > 0)
                // The first of those with as many columns and no such name.
                .max(Comparator.comparingLong((ColderLayout layout) -> layout.found(row))
                        .thenComparing(layout -> layout.isNamed(file)))
                .orElseThrow(() -> released ? nameless(row) : unknown(row));
    }

    private boolean isNamed(Path file) {
        String stem = String.valueOf(file.getFileName()).replaceFirst("\\..*", "");
        return names.contains(stem.toLowerCase(Locale.ROOT));
    }

    /** How many of its columns a row has. */
    private long found(Fields row) {
        return columns.stream().filter(column -> column(row, column) != null).count();
    }

    private static RuntimeException nameless(Fields row) {
        return row.bad(
                DOCUMENTS.getFirst(),
                "is of an unknown probe",
                "rename the file to what it was released as: "
                        + ALL.stream()
                                .map(layout -> layout.names.getFirst() + ".jsonl")
                                .collect(Collectors.joining(", ")));
    }

    private static RuntimeException unknown(Fields row) {
        return row.bad(
                DOCUMENTS.getFirst(),
                "is missing",
                "a row has document_1 and document_2, or columns of the notebooks such as "
                        + String.join(" and ", ALL.getLast().columns));
    }

    /** Whether a row is one of the released files. */
    static boolean isReleased(Fields row) {
        return DOCUMENTS.stream().anyMatch(row::has);
    }

    /** Both texts of a row. */
    List<String> texts(Fields row) {
        if (!isReleased(row)) {
            return columns.stream().map(column -> text(row, column)).toList();
        }
        List<String> texts = DOCUMENTS.stream().map(column -> text(row, column)).toList();
        return rivalFirst ? texts.reversed() : texts;
    }

    /**
     * A text of a row: a string, or sentences or their tokens, which are joined by spaces.
     *
     * @param column names, separated by bars
     * @throws io.posbias.BadInputException if none of them is there
     */
    static String text(Fields row, String column) {
        Object found = column(row, column);
        String text = found == null ? "" : joined(found).strip();
        if (text.isEmpty()) {
            throw row.bad(
                    column.replaceFirst("\\|.*", ""), found == null ? "is missing" : "is empty", "it must hold a text");
        }
        return text;
    }

    /** The first of some columns that is there; null for none. */
    static @Nullable Object column(Fields row, String column) {
        Optional<String> there =
                Stream.of(column.split("\\|", -1)).filter(row::has).findFirst();
        return there.isEmpty() ? null : row.raw(there.get());
    }

    private static String joined(Object text) {
        return text instanceof List<?> parts
                ? parts.stream().map(ColderLayout::joined).collect(Collectors.joining(" "))
                : String.valueOf(text);
    }
}
