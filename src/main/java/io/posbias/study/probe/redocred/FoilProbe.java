package io.posbias.study.probe.redocred;

import io.posbias.study.probe.NumpyPermutation;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.AnswerProbe.AnswerSentences;
import io.posbias.study.probe.redocred.ProbeRecord.Composition;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import io.posbias.study.probe.redocred.RedocredDocument.Entity;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Evidence inside another article against a short text that repeats the head without an answer (equation 6): text1 = four
 * sentences + evidence + the same four, text2 = the head's name twice in quotes + a sentence that names only the head. A higher
 * score of text1 is right; published models rarely are.
 */
record FoilProbe(Donors donors) implements Probe {
    static final ProbeType TYPE = ProbeType.accuracy(
            "foil", "evidence in a long text - foil; negative: prefers the foil", "the evidence to the foil");

    FoilProbe(QueryPool pool) {
        this(new Donors(pool));
    }

    @Override
    public Selection select(QueryPool pool) {
        return AnswerSentences.select(pool).lastPerQuestion(2).lastPerTitle(3);
    }

    @Override
    public List<ProbeRecord> records(ProbeQuery query) {
        return pair(TYPE, query, foil(query)).stream().toList();
    }

    /** The evidence document against a rival; empty without a donor. */
    Optional<ProbeRecord> pair(ProbeType probe, ProbeQuery query, Composition rival) {
        return donors.draw(query)
                .map(donor -> ProbeRecord.of(probe, query, surrounded(query, donor), rival)
                        .with("donor", donor.title())
                        .with("head_only", AnswerSentences.headOnly(query).orElseThrow())
                        .quoting(query.document().sentence(query.evidence())));
    }

    private static Composition surrounded(ProbeQuery query, RedocredDocument donor) {
        return new Composition()
                .add(donor, Donors.GIVEN)
                .add(query.document(), query.evidence())
                .add(donor, Donors.GIVEN);
    }

    /** The head's name twice, then a sentence about it. */
    Composition foil(ProbeQuery query) {
        String quoted = "\" " + query.head().longestName() + " \"";
        return new Composition()
                .addWords(quoted)
                .addWords(quoted)
                .add(query.document(), AnswerSentences.headOnly(query).orElseThrow());
    }

    /** Unrelated articles whose first sentences surround the evidence in the foil and poison probes. */
    static final class Donors {
        static final List<Integer> GIVEN = List.of(0, 1, 2, 3);

        /** Only the first two sentences are checked for relations and types. */
        private static final int LAST_SCREENED = 1;

        private final List<Donor> donors;

        private record Donor(RedocredDocument document, Set<String> relations, Set<String> types) {}

        /** The articles of the pool's queries that are long enough. */
        Donors(QueryPool pool) {
            Map<String, RedocredDocument> articles = new LinkedHashMap<>();
            pool.queries().forEach(query -> articles.putIfAbsent(query.title(), query.document()));
            donors = articles.values().stream()
                    .filter(document -> document.size() >= GIVEN.size())
                    .map(document -> new Donor(document, relations(document), types(document)))
                    .toList();
        }

        private static Set<String> relations(RedocredDocument document) {
            return document.labels().stream()
                    .filter(label -> label.evidence().stream().anyMatch(sentence -> sentence <= LAST_SCREENED))
                    .map(Label::relation)
                    .collect(Collectors.toSet());
        }

        private static Set<String> types(RedocredDocument document) {
            return document.entities().stream()
                    .filter(entity -> entity.firstSentence() <= LAST_SCREENED)
                    .map(Entity::type)
                    .collect(Collectors.toSet());
        }

        int size() {
            return donors.size();
        }

        /** Articles that begin without the answer's title, relation or type. */
        List<RedocredDocument> of(ProbeQuery query) {
            List<String> names = names(query);
            return donors.stream()
                    .filter(donor -> !donor.document().title().equals(query.title())
                            && !donor.types().contains(query.tail().type())
                            && !donor.relations().contains(query.relation())
                            && GIVEN.stream()
                                    .noneMatch(sentence -> donor.document().holds(sentence, names)))
                    .map(Donor::document)
                    .toList();
        }

        /** A donor by the query's own seed, independent of the sample; empty if there are none. */
        Optional<RedocredDocument> draw(ProbeQuery query) {
            return NumpyPermutation.draw(of(query), 1, query.ordinal()).stream().findFirst();
        }

        /** The {@linkplain Spaces#aligned aligned} names of head and tail. */
        private static List<String> names(ProbeQuery query) {
            return Stream.of(query.head(), query.tail())
                    .flatMap(entity -> entity.names().stream())
                    .map(Spaces::aligned)
                    .toList();
        }
    }
}
