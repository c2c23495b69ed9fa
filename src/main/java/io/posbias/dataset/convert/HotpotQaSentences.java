package io.posbias.dataset.convert;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.MappingIterator;

/**
 * HotpotQA's release ({@code hotpot_dev_distractor_v1.json}): paragraphs as lists of sentences, and the numbers of the
 * supporting facts. Yang et al. 2018, arXiv:1809.09600. BEIR's test queries are its development questions.
 */
final class HotpotQaSentences implements GoldSentences {
    private static final TypeReference<Map<String, @Nullable Object>> ROW = new TypeReference<>() {};

    @Override
    public Map<String, List<Gold>> read(List<Path> files) {
        Map<String, List<Gold>> gold = new HashMap<>();
        for (Path file : GoldSentences.named(files, ".*\\.json", "hotpot_*.json")) {
            try (MappingIterator<Map<String, @Nullable Object>> rows =
                    Json.mapper().readerFor(ROW).readValues(file.toFile())) {
                while (rows.hasNext()) {
                    Location where = new Location(file, rows.currentLocation().getLineNr());
                    Fields row = new Fields(where, rows.next());
                    gold.put(row.id("_id"), of(row));
                }
            } catch (JacksonException broken) {
                throw Json.malformed("JSON", file, broken);
            }
        }
        return gold;
    }

    private static List<Gold> of(Fields row) {
        Map<String, List<String>> paragraphs = new HashMap<>();
        Fields context = row.places("context");
        for (String place : context.names()) {
            Fields paragraph = context.places(place);
            paragraphs.put(paragraph.text("0"), paragraph.texts("1"));
        }
        List<Gold> gold = new ArrayList<>();
        Fields facts = row.places("supporting_facts");
        for (String place : facts.names()) {
            Fields fact = facts.places(place);
            String title = fact.text("0");
            List<String> sentences = paragraphs.getOrDefault(title, List.of());
            int number = fact.integer("1");
            // Some released facts number a sentence that their paragraph does not have.
            if (number >= 0 && number < sentences.size()) {
                gold.add(new Gold(title, sentences.get(number)));
            }
        }
        return gold;
    }
}
