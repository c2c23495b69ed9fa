package io.posbias.dataset.convert;

import io.posbias.Fields;
import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * FEVER's release: claims with page and sentence number of their evidence ({@code shared_task_dev.jsonl}, which holds those of
 * BEIR's test queries), and the pages with their numbered sentences ({@code wiki-pages.zip}, wiki-*.jsonl). Thorne et al. 2018,
 * arXiv:1803.05355.
 */
final class FeverSentences implements GoldSentences {
    private static final String PAGES = "wiki-\\d+\\.jsonl(\\.gz)?";

    /** A sentence by its number on a page. */
    private record Place(String page, int sentence) {}

    @Override
    public Map<String, List<Gold>> read(List<Path> files) {
        List<Path> pages = GoldSentences.named(files, PAGES, "wiki-*.jsonl");
        Map<String, List<Place>> places = new HashMap<>();
        Set<String> wanted = new HashSet<>();
        for (Path claims : GoldSentences.named(files, "(?!" + PAGES + "$).*\\.jsonl", "file of claims")) {
            RowFile.open(claims).forEach(row -> places.put(row.id("id"), places(row, wanted)));
        }
        Map<String, Map<Integer, String>> sentences = new HashMap<>();
        pages.forEach(file -> RowFile.open(file).forEach(row -> {
            String page = row.text("id");
            if (wanted.contains(page)) {
                sentences.put(page, sentences(row.text("lines")));
            }
        }));
        Map<String, List<Gold>> gold = new HashMap<>();
        places.forEach((claim, own) -> gold.put(
                claim,
                own.stream()
                        .map(place -> new Gold(
                                place.page(),
                                sentences.getOrDefault(place.page(), Map.of()).getOrDefault(place.sentence(), "")))
                        .toList()));
        return gold;
    }

    /** Of all sets of evidence, in their order; those of claims without enough information name no page. */
    private static List<Place> places(Fields row, Set<String> wanted) {
        List<Place> places = new ArrayList<>();
        Fields sets = row.places("evidence");
        for (String set : sets.names()) {
            Fields sentences = sets.places(set);
            for (String sentence : sentences.names()) {
                Fields place = sentences.places(sentence);
                if (place.has("2") && place.has("3")) {
                    places.add(new Place(place.text("2"), place.integer("3")));
                    wanted.add(place.text("2"));
                }
            }
        }
        return places;
    }

    /** Lines of number, sentence and links, separated by tabs. */
    private static Map<Integer, String> sentences(String lines) {
        Map<Integer, String> sentences = new HashMap<>();
        for (String line : lines.split("\n", -1)) {
            String[] cells = line.split("\t", -1);
            if (cells.length > 1 && cells[0].matches("\\d{1,6}")) {
                sentences.put(Integer.valueOf(cells[0]), cells[1]);
            }
        }
        return sentences;
    }
}
