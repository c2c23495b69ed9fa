package io.posbias.data.convert;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.MappingIterator;

/** Readers of the evidence sentences that the authors of sets in BEIR released. */
final class ReleasedSentences {
    private static final Set<String> DECIDING = Set.of("SUPPORTS", "REFUTES");
    private static final String PAGES = "wiki-\\d+\\.jsonl(\\.gz)?";
    private static final TypeReference<Map<String, @Nullable Object>> ROW = new TypeReference<>() {};

    private ReleasedSentences() {}

    private record Place(String page, int sentence) {}

    private record Climate(
            @Setting(identifier = true) String claimId,
            @Setting(usual = "[]") List<ClimateEvidence> evidences) {
        List<GoldSentences.Gold> gold() {
            return evidences.stream()
                    .filter(evidence -> DECIDING.contains(evidence.evidenceLabel))
                    .map(evidence -> new GoldSentences.Gold(evidence.article, evidence.evidence))
                    .toList();
        }
    }

    private record ClimateEvidence(String evidenceLabel, String article, String evidence) {}

    /** @param lines sentences with their numbers */
    private record WikiPage(String id, String lines) {}

    /**
     * Climate-FEVER ({@code climate-fever-dataset-r1.jsonl}; Diggelmann et al. 2020, arXiv:2012.00614). Its
     * sentences are from whole articles and BEIR's passages are introductions, so passages lack many of them.
     */
    static Map<String, List<GoldSentences.Gold>> climateFever(List<Path> files) {
        Map<String, List<GoldSentences.Gold>> gold = new HashMap<>();
        for (Path file : GoldSentences.named(files, ".*\\.jsonl(\\.gz)?", "climate-fever-dataset-r1.jsonl")) {
            RowFile.open(file).forEach(row -> {
                Climate claim = Json.row(row, Climate.class);
                gold.put(claim.claimId, claim.gold());
            });
        }
        return gold;
    }

    /**
     * FEVER (Thorne et al. 2018, arXiv:1803.05355): claims with page and sentence number of their evidence ({@code
     * shared_task_dev.jsonl}, with BEIR's test queries), and pages with numbered sentences ({@code wiki-pages.zip}).
     */
    static Map<String, List<GoldSentences.Gold>> fever(List<Path> files) {
        List<Path> pages = GoldSentences.named(files, PAGES, "wiki-*.jsonl");
        Map<String, List<Place>> places = new HashMap<>();
        Set<String> wanted = new HashSet<>();
        for (Path claims : GoldSentences.named(files, "(?!" + PAGES + "$).*\\.jsonl", "file of claims")) {
            RowFile.open(claims).forEach(row -> places.put(row.id("id"), places(row, wanted)));
        }
        Map<String, Map<Integer, String>> sentences = new HashMap<>();
        pages.forEach(file -> RowFile.open(file).forEach(row -> {
            WikiPage page = Json.row(row, WikiPage.class);
            if (wanted.contains(page.id)) {
                sentences.put(page.id, sentences(page.lines));
            }
        }));
        Map<String, List<GoldSentences.Gold>> gold = new HashMap<>();
        places.forEach((claim, own) -> gold.put(
                claim,
                own.stream()
                        .map(place -> new GoldSentences.Gold(
                                place.page(),
                                sentences.getOrDefault(place.page(), Map.of()).getOrDefault(place.sentence(), "")))
                        .toList()));
        return gold;
    }

    private static List<Place> places(Fields row, Set<String> wanted) {
        List<Place> places = new ArrayList<>();
        Fields sets = row.places("evidence");
        for (String set : sets.names()) {
            Fields sentences = sets.places(set);
            for (String sentence : sentences.names()) {
                Fields place = sentences.places(sentence);
                if (place.has("2") && place.has("3")) {
                    Place cited = new Place(place.text("2"), place.integer("3"));
                    places.add(cited);
                    wanted.add(cited.page());
                }
            }
        }
        return places;
    }

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

    /**
     * HotpotQA ({@code hotpot_dev_distractor_v1.json}; Yang et al. 2018, arXiv:1809.09600): paragraphs as lists of
     * sentences, and supporting facts. BEIR's test queries are its development questions.
     */
    static Map<String, List<GoldSentences.Gold>> hotpotQa(List<Path> files) {
        Map<String, List<GoldSentences.Gold>> gold = new HashMap<>();
        for (Path file : GoldSentences.named(files, ".*\\.json", "hotpot_*.json")) {
            try (MappingIterator<Map<String, @Nullable Object>> rows =
                    Json.mapper().readerFor(ROW).readValues(file.toFile())) {
                while (rows.hasNext()) {
                    Location where = new Location(file, rows.currentLocation().getLineNr());
                    Fields row = new Fields(where, rows.next());
                    gold.put(row.id("_id"), hotpotGold(row));
                }
            } catch (JacksonException broken) {
                throw Json.malformed("JSON", file, broken);
            }
        }
        return gold;
    }

    private static List<GoldSentences.Gold> hotpotGold(Fields row) {
        Map<String, List<String>> paragraphs = new HashMap<>();
        Fields context = row.places("context");
        for (String place : context.names()) {
            Fields paragraph = context.places(place);
            paragraphs.put(paragraph.text("0"), paragraph.texts("1"));
        }
        List<GoldSentences.Gold> gold = new ArrayList<>();
        Fields facts = row.places("supporting_facts");
        for (String place : facts.names()) {
            Fields fact = facts.places(place);
            String title = fact.text("0");
            List<String> sentences = paragraphs.getOrDefault(title, List.of());
            int number = fact.integer("1");
            // Some released facts give the number of a sentence that their paragraph lacks.
            if (number >= 0 && number < sentences.size()) {
                gold.add(new GoldSentences.Gold(title, sentences.get(number)));
            }
        }
        return gold;
    }

    /** SciFact, see {@link SciFactRelease}. BEIR's test queries are its development claims. */
    static Map<String, List<GoldSentences.Gold>> sciFact(List<Path> files) {
        SciFactRelease release = SciFactRelease.read(files);
        return release.claims().stream()
                .collect(Collectors.toMap(
                        SciFactRelease.Claim::id,
                        claim -> claim.rationales().stream()
                                .map(place -> new GoldSentences.Gold(place.document(), sentence(release, place)))
                                .toList(),
                        (one, other) -> other));
    }

    private static String sentence(SciFactRelease release, SciFactRelease.Place place) {
        SciFactRelease.Abstract document = release.abstracts().get(place.document());
        return document == null ? "" : document.sentences().get(place.number());
    }
}
