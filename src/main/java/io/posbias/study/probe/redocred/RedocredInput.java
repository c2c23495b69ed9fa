package io.posbias.study.probe.redocred;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A file of Re-DocRED.
 *
 * @param split prefix of ids: {@code test} for {@code test*}, {@code validation} for {@code dev*} and {@code val*}, otherwise
 *     the file's name up to the first dot
 */
record RedocredInput(Path file, String split, List<RedocredDocument> documents) {
    /** Reads the files in the authors' order, test before dev. */
    static List<RedocredInput> read(List<Path> files) {
        List<RedocredInput> inputs = new ArrayList<>();
        for (Path file : inOrder(files)) {
            inputs.add(new RedocredInput(file, split(file), RedocredReader.read(file, split(file))));
        }
        refuseRepeatedTitles(inputs);
        return inputs;
    }

    private static List<Path> inOrder(List<Path> files) {
        Map<String, Path> bySplit = new LinkedHashMap<>();
        for (Path file : files) {
            Path earlier = bySplit.put(split(file), file);
            if (earlier != null) {
                throw new UsageException("--input " + earlier + " and " + file + " would both give ids " + split(file)
                        + "0, " + split(file) + "1, ...: rename one");
            }
        }
        return bySplit.values().stream()
                .sorted(Comparator.comparingInt(RedocredInput::rank))
                .toList();
    }

    private static int rank(Path file) {
        int known = List.of("test", "validation").indexOf(split(file));
        return known < 0 ? Integer.MAX_VALUE : known;
    }

    static String split(Path file) {
        String name =
                String.valueOf(file.getFileName()).replaceFirst("\\..*", "").toLowerCase(Locale.ROOT);
        if (name.startsWith("test")) {
            return "test";
        }
        return name.startsWith("dev") || name.startsWith("val") ? "validation" : name;
    }

    /** Titles identify articles, so they must be distinct. */
    private static void refuseRepeatedTitles(List<RedocredInput> inputs) {
        Map<String, Path> seen = new HashMap<>();
        for (RedocredInput input : inputs) {
            for (int i = 0; i < input.documents.size(); i++) {
                String title = input.documents.get(i).title();
                Path earlier = seen.put(title, input.file);
                if (earlier != null) {
                    throw new BadInputException(
                            Location.of(input.file),
                            "field \"[" + i + "].title\" is " + Printable.quoted(title)
                                    + ", which an earlier document of " + earlier + " has too",
                            "titles must be distinct");
                }
            }
        }
    }

    /** A file in {@code probes.yaml}. */
    record RedocredFile(String file, String sha256, String ids, int documents) {}

    RedocredFile entry() {
        return new RedocredFile(String.valueOf(file.getFileName()), Checksums.sha256(file), split, documents.size());
    }

    /**
     * Articles without queries: the training files of the paper's retrieval set, {@code train_revised.json} and DocRED's {@code
     * train_distant.json}.
     *
     * @param files read one article at a time
     * @param taken titles of articles with queries; each title counts once
     */
    record RedocredCorpus(List<Path> files, Set<String> taken) {
        static final RedocredCorpus NONE = new RedocredCorpus(List.of(), Set.of());

        static RedocredCorpus of(List<Path> files, List<RedocredDocument> asking) {
            return new RedocredCorpus(
                    files, asking.stream().map(RedocredDocument::title).collect(Collectors.toSet()));
        }

        /** The articles in file order, without repeated titles (one in the paper's 105,926). */
        void forEach(Consumer<RedocredDocument> articles) {
            Set<String> seen = new HashSet<>(taken);
            for (Path file : files) {
                RedocredReader.forEach(file, RedocredInput.split(file), article -> {
                    if (seen.add(article.title())) {
                        articles.accept(article);
                    }
                });
            }
        }
    }
}
