package io.posbias.cli.probe;

import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Sampler;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Study;
import io.posbias.study.probe.Chat.AskedModel;
import io.posbias.study.probe.rag.PositionAnswers;
import io.posbias.study.probe.rag.PositionAnswers.Right;
import io.posbias.study.probe.rag.PositionAnswersTables;
import io.posbias.study.probe.rag.PositionCalls;
import io.posbias.study.probe.rag.PositionQuestions;
import io.posbias.study.probe.rag.PositionStudy;
import io.posbias.study.probe.rag.PromptPlace;
import io.posbias.study.probe.rag.RagPrompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "answers",
        description = "Measure what position bias costs a language model's answers.",
        footer = {
            "",
            "A benchmark of windows asks each question with its evidence at each place of a passage. The models retrieve,"
                    + " and a language model answers from the first k passages: losses of retrieval, of reading, and of both."
                    + " A reply is right if it equals the answer by SQuAD's rules (exact), contains its words, or the first"
                    + " judge accepts it. Texts are sent to the address that is given; that may cost money.",
            "",
            "Replies are kept on disk: a command that was stopped continues where it was.",
            "",
            "Examples:",
            "  posbias probe answers --model bm25,all-minilm-l6-v2 --dataset windows \\",
            "      --llm http://localhost:8000/v1 --llm-model my-model --max-calls 0",
            "  posbias data build windows --input squad-posq --variants --out windows",
            "  posbias probe answers --model bm25 --dataset windows --n 100 --k 3 \\",
            "      --llm http://localhost:8000/v1 --llm-model my-model --right contains",
        })
final class ProbeAnswersCommand extends BaseCommand implements Study.Command {
    private static final int MOST_JUDGES = 2;

    @Mixin
    private ModelNames models = new ModelNames();

    @Mixin
    private DatasetNames datasets = new DatasetNames();

    @Mixin
    private ChatOptions chat = new ChatOptions();

    @Least(1)
    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Number of retrieved passages in a prompt (default: ${DEFAULT-VALUE}).")
    private int k = 5;

    @Option(
            names = "--right",
            paramLabel = "RULE",
            description =
                    "Rule of a right reply: ${COMPLETION-CANDIDATES} (default: exact, or judge with --judge-model).")
    private @Nullable Right right;

    @Heading("Statistics:")
    @Least(1)
    @Option(
            names = "--n",
            paramLabel = "N",
            description = "Number of sampled questions, each asked at all places (default: all).")
    private @Nullable Integer n;

    @Heading("Tuning:")
    @Option(
            names = "--judge-model",
            split = ",",
            paramLabel = "NAME[,NAME]",
            description = "Judge model, or two whose agreement is measured (default: no judge).")
    private List<String> judgeModels = List.of();

    @Heading("Tuning:")
    @BelongsTo("--judge-model")
    @Option(
            names = "--judge",
            split = ",",
            paramLabel = "URL[,URL]",
            description = "Address of each judge, or of both (default: --llm).")
    private List<String> judgeAddresses = List.of();

    @Heading("Tuning:")
    @BelongsTo("--judge-model")
    @Option(
            names = "--judge-key-env",
            split = ",",
            paramLabel = "VARIABLE[,VARIABLE]",
            description =
                    "Environment variable with the key of each judge, or of both (default: --key-env, or no key with"
                            + " --judge).")
    private List<String> judgeKeys = List.of();

    @Heading("Tuning:")
    @Option(
            names = "--prompt-place",
            paramLabel = "PLACE",
            description = "Place of the evidence's passage in the prompt: " + PromptPlace.VALUES
                    + " (default: ${DEFAULT-VALUE}). Balanced: each place equally often.")
    private String promptPlace = "balanced";

    @Heading("Statistics:")
    @Least(0)
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the draw of questions and of the places in the prompt (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence", "cluster", "equivalence");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    public Study study() {
        return PositionAnswersTables.study();
    }

    @Override
    protected void work() {
        PromptPlace place = PromptPlace.parse("--prompt-place", promptPlace, k);
        Right rule = right == null ? judgeModels.isEmpty() ? Right.EXACT : Right.JUDGE : right;
        ChatSettings reader = chat.settings();
        List<ChatSettings> judges = judges();
        refuse(rule == Right.JUDGE && judges.isEmpty(), "--right judge needs --judge-model");
        List<Recipe> recipes = modelOptions.recipes(models.names(), session());
        DatasetNames.Opened opened = datasets.open(this);
        refuse(opened.all().size() != 1, "--dataset must name one benchmark of windows");
        Settings statistics = settings.settings();
        PositionAnswers method = new PositionAnswers(
                PositionQuestions.of(
                        opened.pooled(),
                        n,
                        seed,
                        statistics.on(opened.pooled().card()).unit()),
                k,
                place,
                rule,
                RagPrompts.bundled());
        Engine engine = modelOptions.device().engine(threads.threads(), chat.limit(), session());
        PositionStudy study = PositionStudy.retrieve(method, recipes, engine);
        Optional<List<PositionStudy.Found>> found = ask(study, reader, judges, statistics);
        if (found.isPresent()) {
            print(new PositionAnswersTables(
                    method,
                    found.get(),
                    Stream.concat(Stream.of(reader), judges.stream())
                            .map(one -> new PositionAnswersTables.LanguageModel(one.model(), one.base()))
                            .toList(),
                    chat.sampling().toString(),
                    PositionAnswersTables.AnswersSettings.of(method, seed, statistics)));
        }
    }

    private List<ChatSettings> judges() {
        refuse(judgeModels.size() > MOST_JUDGES, "--judge-model names at most two models");
        refuse(judgeAddresses.size() > judgeModels.size(), "--judge has more addresses than --judge-model has names");
        refuse(judgeKeys.size() > judgeModels.size(), "--judge-key-env has more names than --judge-model");
        return IntStream.range(0, judgeModels.size())
                .mapToObj(judge ->
                        chat.judge(ofJudge(judgeAddresses, judge), judgeModels.get(judge), ofJudge(judgeKeys, judge)))
                .toList();
    }

    /** The judge's own value, or the one for both; null without. */
    private static @Nullable String ofJudge(List<String> given, int judge) {
        return given.isEmpty() ? null : given.get(Math.min(judge, given.size() - 1));
    }

    /** Asks for the replies that are not cached; empty for an estimate of missing calls. */
    private Optional<List<PositionStudy.Found>> ask(
            PositionStudy study, ChatSettings reader, List<ChatSettings> judges, Settings statistics) {
        List<CachedChat> opened = new ArrayList<>();
        try {
            opened.add(chat.open(reader, session()));
            judges.forEach(judge -> opened.add(chat.open(judge, session())));
            AskedModel reading = new AskedModel(opened.getFirst(), reader.model(), "answers", line -> {});
            List<AskedModel> judging = IntStream.range(0, judges.size())
                    .mapToObj(judge -> new AskedModel(
                            opened.get(judge + 1), judges.get(judge).model(), "verdicts", line -> {}))
                    .toList();
            PositionCalls calls = study.calls(reading, judging);
            say(calls.line());
            if (chat.isEstimate() && calls.missing() > 0) {
                printLine(calls.estimate(reader.price()));
                printLine(calls.basis());
                return Optional.empty();
            }
            return Optional.of(study.ask(reading, judging, statistics));
        } finally {
            opened.forEach(CachedChat::close);
            say("this run: " + chat.meter());
        }
    }

    private void print(PositionAnswersTables tables) {
        print(output.text(
                () -> tables.all().stream().map(tables::document).toList(),
                () -> tables.tables(output.detail().digits()),
                tables::raw,
                session()));
        tables.all()
                .forEach(found -> output.folders()
                        .write(
                                found.model().name(),
                                () -> tables.document(found),
                                () -> tables.answers(found),
                                session()));
    }
}
