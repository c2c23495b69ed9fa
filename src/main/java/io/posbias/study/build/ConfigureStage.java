package io.posbias.study.build;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.RowFile;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.Run;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.ModelReplies.Configuration;
import io.posbias.study.build.llm.Prompt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who asks about a document, how difficult and how long the queries are: a language model chooses, once for each document
 * (arXiv:2605.26578). A document whose configuration cannot be read is dropped.
 *
 * @param model the role to ask
 * @param prompt with {@code {document}} and {@code {personas}}
 * @param personas file of rows with a column "persona", for example PersonaHub; null: the model describes one
 * @param encoder finds personas by a document's text; null without personas
 * @param top personas that the model chooses from
 */
record ConfigureStage(
        String model,
        @Setting(usual = "query-configuration") Prompt prompt,
        @Nullable String personas,
        @Nullable Recipe encoder,
        @Setting(usual = "20", least = 1) int top)
        implements Stage {
    private static final String PERSONAS = "personas";
    private static final int BATCH = 256;

    /** Tokens of a reply for the forecast. */
    private static final int REPLY = 60;

    ConfigureStage {
        prompt.allow(List.of(Candidate.DOCUMENT, PERSONAS));
        if (personas != null && encoder == null) {
            throw new Setting.Wrong("encoder", "is missing", "it finds the " + top + " personas for a document");
        }
    }

    private PromptedModel<Configuration> asked() {
        return new PromptedModel<>(model, prompt, ModelReplies::configuration);
    }

    @Override
    public Set<String> producedFields() {
        return Candidate.CONFIGURED;
    }

    @Override
    public Object inputs(StageContext context) {
        return personas == null || encoder == null
                ? asked().inputs(context)
                : List.of(
                        asked().inputs(context),
                        Checksums.sha256(FileNames.path(personas)),
                        StageModels.inputs(context, List.of(encoder)));
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        if (personas != null) {
            // Refuses a missing file before anything is asked.
            RowFile.open(FileNames.path(personas));
        }
        return asked().forecast(before, REPLY, context);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, String> offered = new HashMap<>();
        if (personas != null && encoder != null) {
            offer(FileNames.path(personas), encoder, candidates, offered, context);
        }
        asked().each(
                        candidates::forEach,
                        candidate -> List.of(Map.of(
                                Candidate.DOCUMENT,
                                context.text(candidate),
                                PERSONAS,
                                offered.getOrDefault(candidate.document(), ""))),
                        (candidate, replies) -> out.keep(candidate
                                .without(Candidate.TEXT)
                                .with(Candidate.PERSONA, replies.getFirst().persona())
                                .with(Candidate.DIFFICULTY, replies.getFirst().difficulty())
                                .with(Candidate.LENGTH, replies.getFirst().length())),
                        out,
                        context);
    }

    /** Puts the nearest personas of each document, a line each. */
    private void offer(
            Path file, Recipe encoder, Candidates candidates, Map<String, String> offered, StageContext context) {
        new ModelStore(context.session()).require(encoder);
        List<String> all = new ArrayList<>();
        RowFile.open(file).forEach(row -> all.add(row.text("persona").strip()));
        List<Passage> passages = IntStream.range(0, all.size())
                .mapToObj(i -> new Passage(String.valueOf(i), "", all.get(i)))
                .toList();
        Dataset corpus = context.corpus(PERSONAS, Passages.of(passages));
        try (Searcher searcher = encoder.retriever().open(corpus, context.engine())) {
            candidates.forEachBatch(BATCH, batch -> {
                List<Query> queries = batch.stream()
                        .map(one -> new Query(one.id(), context.text(one), null))
                        .toList();
                Run run = searcher.search(queries, top).run();
                for (int i = 0; i < batch.size(); i++) {
                    String nearest = IntStream.of(run.ranking(i).passages())
                            .mapToObj(found -> "- "
                                    + all.get(Integer.parseInt(
                                            corpus.passages().ids().id(found))))
                            .collect(Collectors.joining("\n"));
                    offered.put(batch.get(i).document(), nearest);
                }
            });
        }
    }
}
