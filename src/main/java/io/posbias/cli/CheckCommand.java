package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.Session;
import io.posbias.base.table.Lines;
import io.posbias.base.table.TableFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.LanguageOption;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PartialOption;
import io.posbias.cli.common.RelevantOption;
import io.posbias.cli.common.TableLook;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.convert.Reading;
import io.posbias.data.convert.Sampler;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.StoredRun;
import io.posbias.model.store.ModelStore;
import io.posbias.run.check.Finding;
import io.posbias.run.check.PositionCheck;
import io.posbias.run.check.SampleDraw;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.Study;
import io.posbias.study.build.OwnBenchmark;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Check if a model loses answers because of where they stand.",
        footer = {
            "",
            "Asks a sample of the questions, moves each answer to other places of its passage, looks at BM25 beside the model, and"
                    + " tries windows where answers are lost. Documents without questions are asked what their own sentences"
                    + " say. Nothing goes over the network but what MODEL or DATA name. Cells are stored as by eval; the"
                    + " same command again reads them.",
            "",
            "Examples:",
            "  posbias check all-minilm-l6-v2 demo",
            "  posbias check BAAI/bge-small-en-v1.5 articles.json",
            "  posbias check http://localhost:8080 documents/ --fail-on unread,position",
            "  posbias check run.trec my-squad --format json",
        })
final class CheckCommand extends BaseCommand implements Study.Command {
    /** Verdicts of moved evidence. */
    private static final Set<Verdict> MOVED = Set.of(Verdict.UNREAD, Verdict.POSITION);

    enum Format {
        TEXT,
        MARKDOWN,
        CSV,
        JSON,
        HTML;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            description =
                    "Name from 'posbias models list', ORG/NAME on the Hub, folder, .onnx, .yaml recipe, address of a"
                            + " service, st:NAME, or run file.")
    private String model = "";

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description =
                    "Benchmark's name, folder in BEIR's or MS MARCO's layout, questions or texts as rows (.json, .jsonl, .csv,"
                            + " .tsv, .parquet), or a folder of .txt, .md, .html, .pdf or .docx files.")
    private String data = "";

    @Mixin
    private LanguageOption language = new LanguageOption();

    @Heading("Benchmark:")
    @Option(
            names = "--passages",
            paramLabel = "HOW",
            description =
                    "Documents without questions: ${COMPLETION-CANDIDATES} (default: whole for rows with identifiers, else cut"
                            + " into passages of about 100 words).")
    private OwnBenchmark.@Nullable Passages passages;

    @Mixin
    private RelevantOption relevant = new RelevantOption();

    @Option(
            names = "--full",
            description = "Ask all questions of all passages, not a sample of 300 questions on 1,000 passages.")
    private boolean full;

    @Heading("Sample:")
    @Least(20)
    @Option(names = "--n", paramLabel = "N", description = "Questions of the sample (default: ${DEFAULT-VALUE}).")
    private int questions = SampleDraw.QUESTIONS;

    @Heading("Sample:")
    @Option(names = "--seed", paramLabel = "N", description = "Seed of the sample (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    @Heading("Sample:")
    @Option(
            names = "--stability",
            description =
                    "Print in how many of 100 samples of the questions the verdict is the same, also where that takes"
                            + " long.")
    private boolean stability;

    @Option(
            names = "--fail-on",
            split = ",",
            paramLabel = "VERDICT,..",
            description =
                    "Verdicts that end with exit code 3: unread, position, content, even, open, too-few, too-easy or"
                            + " too-hard.")
    private List<String> failOn = List.of();

    @Least(1)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description =
                    "Maximum calls of services, then exit code 1; the same command continues (default: no limit).")
    private @Nullable Integer maxCalls;

    @Mixin
    private PartialOption partial = new PartialOption();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private ModelOptions models = new ModelOptions();

    @Heading("Output:")
    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder of all results, DATASET/MODEL for each cell (default: ${DEFAULT-VALUE}).")
    private Path results = ResultFolder.ROOT;

    @Heading("Output:")
    @Option(names = "--overwrite", description = "Replace finished results.")
    private boolean overwrite;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: that of --output's ending, else text).")
    private @Nullable Format format;

    @Heading("Output:")
    @Option(names = "--output", paramLabel = "FILE", description = "File to write (default: print).")
    private @Nullable Path output;

    @Mixin
    private TableLook look = new TableLook();

    @Override
    public Study study() {
        return Finding.study();
    }

    @Override
    public Integer call() {
        List<Verdict> wrong = failOn.stream().map(CheckCommand::verdict).toList();
        isWritable("--results", results);
        CallLimit calls = maxCalls == null ? CallLimit.none() : new CallLimit(maxCalls);
        Engine engine = models.device().engine(threads.threads(), calls, notesOnly(session()));
        // A wrong model is refused before anything is made of the data.
        if (isRun()) {
            isFile("MODEL", FileNames.path(model));
        }
        Recipe recipe =
                isRun() ? null : models.recipes(List.of(model), session()).getFirst();
        OwnBenchmark.Ready ready = new OwnBenchmark(data, language.reading(), passages, session())
                .ready(engine)
                .with(relevant::of);
        refuse(
                isRun()
                        && ready.source().files().card().contentFixed().isEmpty()
                        && !Collections.disjoint(wrong, MOVED),
                "--fail-on unread and position come of evidence that was moved, which rankings alone do not have; a run file"
                        + " can be content, even, open, too-few, too-easy or too-hard");
        PositionCheck check =
                new PositionCheck(engine, results, overwrite, new SampleDraw(questions, seed, full), stability);
        Finding finding;
        if (recipe == null) {
            finding = check.of(FileNames.path(model), partial.isGiven(), ready.source());
        } else {
            new ModelStore(session()).require(recipe);
            finding = check.of(recipe, ready.source(), this::say);
        }
        deliver(text(finding, named(ready)));
        return finding.verdicts().stream().anyMatch(wrong::contains) ? ExitCode.GATE : ExitCode.OK;
    }

    private Finding.Named named(OwnBenchmark.Ready ready) {
        String check = spec().root().commandLine().getParseResult().originalArgs().stream()
                .map(FileNames::quoted)
                .collect(Collectors.joining(" ", "posbias ", ""));
        boolean isMade = !ready.option().equals(data);
        Reading said = isMade ? Reading.of(language.code()) : language.reading();
        String dataset = FileNames.quoted(ready.option()) + said.options();
        return new Finding.Named(FileNames.quoted(model), dataset, check);
    }

    /** Drops the messages of the steps, except notes, which change the meaning of numbers, and downloads. */
    private static Session notesOnly(Session session) {
        Set<String> told = new HashSet<>();
        return session.with(session.progress(), line -> {
            if (line.matches("(?s)(note:|fetching) .*") && told.add(line)) {
                session.say(line);
            }
        });
    }

    private static Verdict verdict(String word) {
        List<Verdict> verdicts = List.of(Verdict.values());
        List<String> words = Suggestions.words(verdicts);
        int place = words.indexOf(word.replace(' ', '-').toLowerCase(Locale.ROOT));
        refuse(place < 0, "--fail-on " + word + " is not a verdict; known: " + Suggestions.listed(words));
        return verdicts.get(place);
    }

    /** Returns true if the model is a file that is neither a recipe nor a graph. */
    private boolean isRun() {
        return StoredRun.isFile(model) && !model.endsWith(".onnx");
    }

    private String text(Finding finding, Finding.Named named) {
        TerminalStyle style = output == null ? look.style(session()) : look.inFile();
        return switch (format()) {
            case JSON -> new String(Json.toBytes(finding.document(named)), StandardCharsets.UTF_8);
            case CSV -> TableFormat.CSV.render(finding.raw());
            case MARKDOWN ->
                TableFormat.MARKDOWN.render(finding.table(), style) + "\n" + String.join(" ", finding.answer())
                        + "\n\n    " + finding.next(named) + "\n";
            case HTML -> finding.page(session());
            case TEXT ->
                TableFormat.TABLE.render(finding.table(), style)
                        + "\n" + finding.strip() + "\n\n"
                        + String.join("\n", Lines.of(String.join(" ", finding.answer()), style.width(), 0))
                        + "\n  " + finding.next(named) + "\n";
        };
    }

    /** The format asked for, else that of the file's ending. */
    private Format format() {
        String name = output == null ? "" : FileNames.slashed(output).toLowerCase(Locale.ROOT);
        return format != null
                ? format
                : Stream.of(Format.values())
                        .filter(own -> name.endsWith("." + own) || (own == Format.MARKDOWN && name.endsWith(".md")))
                        .findFirst()
                        .orElse(Format.TEXT);
    }

    private void deliver(String text) {
        if (output == null) {
            print(text);
        } else {
            Staging.writeFile(output, text);
            say("answer in " + output);
        }
    }
}
