package io.posbias.data.convert;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.table.CsvRows;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Evidence Inference (Lehman et al. 2019, arXiv:1904.01606): articles on clinical trials, and prompts on the effect
 * of a treatment on an outcome. Every article is a passage; every prompt with evidence is a query {@code OUTCOME:
 * INTERVENTION compared with COMPARATOR}.
 *
 * <p>The evidence is the first listed span with {@code Valid Reasoning} whose text matches. The validity of the
 * label is irrelevant for the position. Offsets are code points of the article; -1 marks a text without a place.
 *
 * @param folder with annotations.csv, prompts.csv and the folder txt of articles, {@code PMC} and {@code
 *     PMCID}{@code .txt}
 */
record EvidenceInferenceConverter(Path folder, DatasetCard card) implements Converter {
    static final PublishedFormat FORMAT = new PublishedFormat(
            "evidence-inference",
            "Convert Evidence Inference: questions on clinical trials.",
            List.of(
                    "--input is the folder with annotations.csv, prompts.csv and the folder txt of articles. A query is OUTCOME: INTERVENTION compared with COMPARATOR; its evidence is the first listed span with valid reasoning.",
                    "",
                    "Example:",
                    "  posbias data build evidence-inference --input annotations \\",
                    "      --out evidence-inference"),
            "jayded/evidence-inference",
            "Lehman et al. 2019, Inferring Which Medical Treatments Work from Reports of Clinical Trials, arXiv:1904.01606",
            (files, card) -> new EvidenceInferenceConverter(PublishedFormat.only(files), card.bucketed()));

    private static final String ARTICLE = "PMC";
    private static final String ENDING = ".txt";

    private static final class Refused {
        private int invalid;
        private int unplaced;
        private int misquoted;
        private @Nullable Location first;

        void note(DatasetWriter out) {
            if (invalid + unplaced + misquoted > 0) {
                out.note("spans left out: " + invalid + " without valid reasoning, " + unplaced
                        + " without a place, " + misquoted + " that do not read as their text"
                        + (first == null ? "" : " (first: " + first.inFolder() + ")"));
            }
        }
    }

    @Override
    public DatasetCard convert(DatasetWriter out) {
        List<Prompt> prompts = rows("prompts.csv", Prompt.class);
        Map<String, List<Annotation>> annotations =
                rows("annotations.csv", Annotation.class).stream().collect(Collectors.groupingBy(Annotation::article));
        Refused refused = new Refused();
        Map<String, SequencedSet<Evidence>> found = new HashMap<>();
        Set<String> articles = new HashSet<>();
        articles().forEach((id, file) -> {
            String text = IoErrors.call("read", file, () -> Files.readString(file));
            out.passage(new Passage(ARTICLE + id, "", text));
            articles.add(id);
            for (Annotation row : annotations.getOrDefault(id, List.of())) {
                SequencedSet<Evidence> spans = found.computeIfAbsent(row.prompt, prompt -> new LinkedHashSet<>());
                evidence(row, text, refused).ifPresent(spans::add);
            }
        });
        write(prompts, articles, found, out);
        noteAbsent(prompts, annotations, articles, out);
        refused.note(out);
        return card;
    }

    private record Prompt(
            @Setting(identifier = true) @JsonProperty("PromptID")
            String id,

            @Setting(identifier = true) @JsonProperty("PMCID")
            String article,

            @JsonProperty("Outcome") String outcome,
            @JsonProperty("Intervention") String intervention,
            @JsonProperty("Comparator") String comparator) {
        String question() {
            return outcome.strip() + ": " + intervention.strip() + " compared with " + comparator.strip();
        }
    }

    private record Annotation(
            @Setting(identifier = true) @JsonProperty("PromptID")
            String prompt,

            @Setting(identifier = true) @JsonProperty("PMCID")
            String article,

            @JsonProperty("Valid Reasoning") String valid,

            @Setting(usual = "-1") @JsonProperty("Evidence Start")
            int start,

            @Setting(usual = "-1") @JsonProperty("Evidence End")
            int end,

            @Setting(usual = "''") @JsonProperty("Annotations")
            String text,

            Fields row) {}

    private <T> List<T> rows(String name, Class<T> type) {
        return CsvRows.read(require(name)).stream()
                .map(row -> Json.row(row, type))
                .toList();
    }

    private Path require(String name) {
        Path path = folder.resolve(name);
        if (!Files.exists(path)) {
            throw new BadInputException(
                    Location.of(folder),
                    "holds no " + name,
                    "Evidence Inference has annotations.csv, prompts.csv and the folder txt");
        }
        return path;
    }

    private Map<String, Path> articles() {
        Path texts = require("txt");
        return IoErrors.call("read", texts, () -> FileNames.in(texts)).stream()
                .filter(file -> name(file).matches(ARTICLE + "\\S+" + "\\" + ENDING))
                .collect(Collectors.toMap(
                        file -> name(file)
                                .substring(ARTICLE.length(), name(file).length() - ENDING.length()),
                        file -> file,
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static Optional<Evidence> evidence(Annotation row, String text, Refused refused) {
        if (!row.valid.equalsIgnoreCase("true")) {
            refused.invalid++;
            return Optional.empty();
        }
        int start = row.start;
        int end = row.end;
        if (start < 0 || end < 0) {
            refused.unplaced++;
            return Optional.empty();
        }
        int length = CodePoints.count(text);
        boolean inside = start < end && end <= length;
        if (!inside || !CodePoints.toUtf16(text, start, end).of(text).equals(row.text)) {
            refused.misquoted++;
            refused.first = refused.first == null ? row.row.where() : refused.first;
            return Optional.empty();
        }
        return Optional.of(Evidence.of(start, end, length));
    }

    private void write(
            List<Prompt> prompts, Set<String> articles, Map<String, SequencedSet<Evidence>> found, DatasetWriter out) {
        int written = 0;
        int several = 0;
        List<Prompt> without = new ArrayList<>();
        for (Prompt prompt : prompts) {
            String id = prompt.id;
            SequencedSet<Evidence> spans = found.getOrDefault(id, new LinkedHashSet<>());
            if (!spans.isEmpty()) {
                out.query(new Query(id, prompt.question(), spans.getFirst()));
                out.judgment(id, ARTICLE + prompt.article, 1);
                written++;
                several += spans.size() > 1 ? 1 : 0;
            } else if (articles.contains(prompt.article)) {
                without.add(prompt);
            }
        }
        if (written == 0) {
            throw new BadInputException(Location.of(folder), "holds no prompt with evidence in an article of txt", "");
        }
        long unasked =
                without.stream().filter(prompt -> !found.containsKey(prompt.id)).count();
        if (!without.isEmpty()) {
            out.note(Plural.of(without.size(), "prompt") + " left out: " + unasked + " without an annotation, "
                    + (without.size() - unasked) + " without a span that is evidence");
        }
        if (several > 0) {
            out.note("of " + Plural.of(several, "query") + " with several different spans the first listed counts");
        }
    }

    private static void noteAbsent(
            List<Prompt> prompts, Map<String, List<Annotation>> annotations, Set<String> articles, DatasetWriter out) {
        List<String> asked = prompts.stream()
                .map(Prompt::article)
                .filter(article -> !articles.contains(article))
                .toList();
        int rows = annotations.entrySet().stream()
                .filter(entry -> !articles.contains(entry.getKey()))
                .mapToInt(entry -> entry.getValue().size())
                .sum();
        Set<String> absent = new HashSet<>(asked);
        annotations.keySet().stream()
                .filter(article -> !articles.contains(article))
                .forEach(absent::add);
        if (!absent.isEmpty()) {
            out.note(Plural.of(asked.size(), "prompt") + " and " + Plural.of(rows, "annotation") + " of "
                    + Plural.of(absent.size(), "article") + " that are not in txt left out");
        }
    }
}
