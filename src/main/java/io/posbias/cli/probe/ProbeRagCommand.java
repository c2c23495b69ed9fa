package io.posbias.cli.probe;

import io.posbias.base.text.Plural;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.OutputOptions;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.score.result.Study;
import io.posbias.study.probe.Chat.AskedModel;
import io.posbias.study.probe.rag.RagProbe;
import io.posbias.study.probe.rag.RagPrompts;
import io.posbias.study.probe.rag.RagResult;
import io.posbias.study.probe.rag.RagSample;
import io.posbias.study.probe.rag.RagTables;
import io.posbias.study.probe.redocred.ProbeFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "rag",
        description = "Judge a language model's answers to poisoned documents.",
        footer = {
            "",
            "The model answers the same questions with a poisoned document, a foil, no document and the evidence: Table 5 of 'Collapse of Dense Retrievers'. Texts are sent to the address that is given; that may cost money.",
            "",
            "Replies are kept on disk: a command that was stopped continues where it was.",
            "",
            "Examples:",
            "  posbias probe rag --data probes --llm http://localhost:8000/v1 \\",
            "      --llm-model my-model --sampling greedy --n 50",
            "  posbias probe rag --data probes --llm https://api.openai.com/v1 \\",
            "      --llm-model gpt-4o-mini-2024-07-18 --judge-model gpt-4o-2024-08-06 \\",
            "      --key-env OPENAI_API_KEY --with-published --max-calls 0",
        })
final class ProbeRagCommand extends BaseCommand implements Study.Command {
    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Folder with the probe foil and, if built, poison, or redocred, as for 'posbias probe run'.")
    private Path data = Path.of("");

    @Mixin
    private ChatOptions chat = new ChatOptions();

    @Option(names = "--judge-model", paramLabel = "NAME", description = "Judge model (default: the answering model).")
    private @Nullable String judgeModel;

    @Option(names = "--judge", paramLabel = "URL", description = "Address of the judge (default: --llm).")
    private @Nullable String judgeAddress;

    @Heading("Tuning:")
    @Option(
            names = "--judge-key-env",
            paramLabel = "VARIABLE",
            description = "Environment variable with the judge's key (default: --key-env, or no key with --judge).")
    private @Nullable String judgeKey;

    @Least(1)
    @Option(names = "--n", paramLabel = "N", description = "Number of sampled queries (default: all).")
    private @Nullable Integer n;

    @Heading("Statistics:")
    @Least(0)
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the draw, with --n (default: ${DEFAULT-VALUE}).")
    private int seed;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--with-published", description = "Add the rows of the paper's Table 5, on other queries.")
    private boolean withPublished;

    @Heading("Statistics:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence = 0.95;

    @Override
    public Study study() {
        return RagTables.study();
    }

    @Override
    protected void work() {
        confidence(confidence);
        ChatSettings reader = chat.settings();
        ChatSettings judge = chat.judge(judgeAddress, judgeModel, judgeKey);
        RagSample sample = RagSample.read(ProbeFolder.of(data, session().home()).path(), n, seed);
        RagPrompts prompts = RagPrompts.bundled();
        RagProbe probe = new RagProbe(sample.items(), prompts);
        Optional<RagResult> asked = ask(probe, sample, reader, judge);
        if (asked.isEmpty()) {
            return;
        }
        RagResult result = asked.get();
        RagTables tables = new RagTables(
                new RagTables.RagModel(reader.model(), reader.base(), result.reader()),
                new RagTables.RagModel(judge.model(), judge.base(), result.judge()),
                chat.sampling().toString(),
                prompts.sha256(),
                confidence,
                sample,
                result,
                withPublished);
        print(output.text(tables::document, () -> List.of(tables.table()), tables::raw, session()));
        output.folders().write(reader.folderName(), tables::document, tables::answers, session());
    }

    /** Asks for the answers that are not cached; empty for an estimate of missing calls. */
    private Optional<RagResult> ask(RagProbe probe, RagSample sample, ChatSettings reader, ChatSettings judge) {
        try (CachedChat reading = chat.open(reader, session());
                CachedChat judging = chat.open(judge, session())) {
            return ask(
                    probe,
                    sample,
                    new AskedModel(reading, reader.model(), "answers", line -> {}),
                    new AskedModel(judging, judge.model(), "verdicts", line -> {}));
        } finally {
            say("this run: " + chat.meter());
        }
    }

    private Optional<RagResult> ask(RagProbe probe, RagSample sample, AskedModel reader, AskedModel judge) {
        say(sample.items().size() + " of " + Plural.of(sample.candidates(), "query") + " with "
                + (sample.poisonBy().isEmpty()
                        ? "a foil; the probes have no poison"
                        : "foil and poison; " + sample.withoutPoison() + " left out without a poison"));
        RagProbe.RagCalls calls = probe.calls(reader, judge);
        say("calls: " + calls.most() + " at most: " + (calls.answers() - calls.known()) + " of " + calls.answers()
                + " answers, " + (calls.verdicts() - calls.judged()) + " of " + calls.verdicts()
                + " verdicts; the others are on disk");
        if (chat.isEstimate() && calls.most() > 0) {
            printLine("estimate: " + Plural.of(calls.most(), "call") + " at most, with about "
                    + Plural.of(calls.tokens(), "token") + ", besides"
                    + " those of the replies and of answers in questions to the judge; nothing was sent");
            printLine(CallEstimate.BASIS);
            return Optional.empty();
        }
        return Optional.of(probe.run(reader, judge, confidence));
    }
}
