package io.posbias.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.SharedData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The 127 examples that the paper's public notebooks print, as ids of sentences: COMPAT makes the same documents. */
class ColderExamplesTest {
    private static final QueryPool POOL = Redocred.withDuplicates(QuestionTemplates.ALL);

    private List<Fields> examples(String probe) {
        return Json.readJson(SharedData.file("golden/colder-examples.json")).records("examples").stream()
                .filter(example -> example.text("probe").equals(probe))
                .toList();
    }

    private ProbeQuery query(String id) {
        return POOL.queries().stream()
                .filter(query -> query.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Some examples are printed without saying which of two like labels they are of; each must do. */
    private List<ProbeQuery> queries(Fields example) {
        return example.texts("ids").stream().map(this::query).toList();
    }

    private void samePairs(Probe probe, String name, int expected) {
        List<Fields> examples = examples(name);
        assertThat(examples).hasSize(expected);
        for (Fields example : examples) {
            String title = example.text("title");
            for (ProbeQuery query : queries(example)) {
                assertThat(query.evidence()).as(query.id()).isEqualTo(example.integer("evidence"));
                Map<String, Object> record = Article.fields(probe.records(query).getFirst());
                assertThat(record)
                        .as(query.id())
                        .containsEntry("sources1", sources(title, example.integers("d1")))
                        .containsEntry("sources2", sources(title, example.integers("d2")));
            }
        }
    }

    private static List<Map<String, Object>> sources(String title, List<Integer> sentences) {
        return Article.sources(
                title, sentences.stream().mapToInt(Integer::intValue).toArray());
    }

    @Test
    void position() {
        samePairs(new PositionProbe(PaperVariant.COMPAT), "position", 30);
    }

    @Test
    void repetition() {
        samePairs(new RepetitionProbe(PaperVariant.COMPAT), "repetition", 56);
    }

    @Test
    void answer() {
        samePairs(AnswerProbe.of(PaperVariant.COMPAT), "tail", 29);
    }

    /** The notebooks drew donors from a pool that is not published: theirs must be among those that qualify. */
    @Test
    void foil() {
        Donors donors = new Donors(POOL, PaperVariant.COMPAT);
        FoilProbe probe = new FoilProbe(new AnswerSentences(PaperVariant.COMPAT), donors);
        List<Fields> examples = examples("foil");
        assertThat(examples).hasSize(12);
        for (Fields example : examples) {
            for (ProbeQuery query : queries(example)) {
                assertThat(donors.of(query)).extracting(RedocredDocument::title).contains(example.text("donor_title"));
                String quoted = "\" " + example.text("head_name") + " \"";
                String headOnly = query.document().sentence(example.integer("head_only"));
                assertThat(probe.foil(query).text()).isEqualTo(quoted + " " + quoted + " " + headOnly);
                assertThat(Donors.GIVEN).isEqualTo(example.integers("donor_sents"));
            }
        }
    }

    /** All queries of the examples are among those that COMPAT would choose from. */
    @Test
    void theExamplesPassTheFilters() {
        Map<String, Probe> probes = new HashMap<>(Map.of(
                "position", new PositionProbe(PaperVariant.COMPAT),
                "repetition", new RepetitionProbe(PaperVariant.COMPAT),
                "tail", AnswerProbe.of(PaperVariant.COMPAT)));
        probes.forEach((name, probe) -> {
            List<ProbeQuery> own = examples(name).stream()
                    .flatMap(example -> queries(example).stream())
                    .toList();
            QueryPool alone = new QueryPool(POOL.documents(), Selection.of("printed", own));
            // The last step keeps some queries of each article, so it is looked at before.
            List<Integer> steps = List.copyOf(probe.select(alone).steps().values());
            assertThat(steps.subList(0, steps.size() - 1)).as(name).containsOnly(own.size());
        });
    }
}
