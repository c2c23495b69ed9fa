package io.posbias.cli.data;

import io.posbias.base.files.Staging;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.data.convert.Converter;
import io.posbias.data.convert.SquadConverter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetPool;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.Words;
import io.posbias.data.named.Datasets;
import io.posbias.data.position.WindowCutter;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.retrieve.text.Terms;
import io.posbias.study.build.LengthUnit;
import io.posbias.study.build.windows.WindowedBenchmark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "windows",
        description = "Cut windows with the same evidence at each place.",
        footer = {
            "",
            "Windows are cut from long documents on sentence borders; nothing is moved or written. Queries that cannot "
                    + "have a window at every place are left out and counted. The corpus is the same at all places.",
            "",
            "Examples:",
            "  posbias data build windows --input xquad.en.json --variants \\",
            "      --out xquad-windows",
            "  posbias data build windows --input my-squad --length 200 --out my-windows",
            "  posbias eval --model bm25,all-minilm-l6-v2 --dataset xquad-windows",
        })
final class DataBuildWindowsCommand extends BaseCommand {
    private static final int MOST_PLACES = 20;

    @Option(
            names = "--input",
            required = true,
            paramLabel = "INPUT",
            description = "Benchmark with evidence spans, by name or folder, or SQuAD's .json, whose paragraphs of an "
                    + "article form one document. Repeatable.")
    private List<String> inputs = List.of();

    @Option(
            names = "--language",
            paramLabel = "CODE",
            description =
                    "Language of .json files: an ISO 639-1 code, or its English name (default: ${DEFAULT-VALUE}).")
    private String language = "en";

    @Option(
            names = "--places",
            paramLabel = "K",
            description = "Places of the evidence, from " + WindowCutter.LEAST_PLACES + " to " + MOST_PLACES
                    + ": at place k its middle is in the k-th of K equal parts of the window (default: "
                    + "${DEFAULT-VALUE}).")
    private int places = WindowCutter.PLACES;

    @Least(1)
    @Option(
            names = "--length",
            paramLabel = "N",
            description = "Words per window, or tokens with --tokenizer (default: ${DEFAULT-VALUE}). Chinese and "
                    + "Japanese characters count as one word each.")
    private int length = WindowCutter.LENGTH;

    @Heading("Windows:")
    @Option(
            names = "--tokenizer",
            paramLabel = "FILE|MODEL",
            description = "Unit of lengths: a tokenizer.json or an installed model, without special tokens; or "
                    + LengthUnit.WORDS + " (default: ${DEFAULT-VALUE}).")
    private String tokenizer = LengthUnit.WORDS;

    @Heading("Windows:")
    @Option(
            names = "--tolerance",
            paramLabel = "SHARE",
            description = "Tolerance of the window length as a share of N, since sentences stay whole (default: "
                    + "${DEFAULT-VALUE}).")
    private double tolerance = WindowCutter.TOLERANCE;

    @Heading("Windows:")
    @Option(
            names = "--match",
            paramLabel = "SHARE",
            description = "Largest difference in the weight of the question's words between the windows of a query "
                    + "(default: ${DEFAULT-VALUE}); 1 disables matching and keeps more queries, but then question "
                    + "words are more frequent before the evidence than after it.")
    private double match = WindowCutter.MATCH;

    @Option(
            names = "--variants",
            description = "Write one benchmark with each query at all places. Otherwise each place has a benchmark "
                    + "(place-1, ..) with the same query identifiers.")
    private boolean variants;

    @Mixin
    private BuildOptions options = new BuildOptions();

    @Override
    protected void work() {
        refuse(
                places < WindowCutter.LEAST_PLACES || places > MOST_PLACES,
                "--places must be from " + WindowCutter.LEAST_PLACES + " to " + MOST_PLACES + ", not " + places);
        refuse(!(tolerance >= 0 && tolerance < 1), "--tolerance must be from 0 to below 1, not " + tolerance);
        refuse(!(match >= 0 && match <= 1), "--match must be from 0 to 1, not " + match);
        // Before the windows are cut, which takes minutes for large benchmarks.
        options.card("", "relative:" + places, "", "");
        options.refuseExisting(variants ? Set.of() : places());
        if (tokenizer.equals(LengthUnit.WORDS)) {
            cut("words", null);
            return;
        }
        try (Tokenizer opened = LengthUnit.tokenizer(tokenizer, "--tokenizer " + tokenizer, session())) {
            cut("tokens of " + tokenizer, opened);
        }
    }

    private void cut(String units, @Nullable Tokenizer counting) {
        try (Staging scratch = Staging.temporary("articles", session().shutdown())) {
            Dataset dataset = dataset(scratch.folder());
            WindowedBenchmark windows = session()
                    .step(
                            "cut windows of " + dataset.name(),
                            () -> new WindowedBenchmark(dataset, cutter(dataset.card(), counting)));
            write(windows, units, card(dataset.card(), units));
            windows.notes(units).forEach(note -> say("note: " + note));
        }
    }

    private WindowCutter cutter(DatasetCard card, @Nullable Tokenizer counting) {
        String code = card.language();
        return new WindowCutter(
                places,
                length,
                tolerance,
                match,
                text -> counting == null
                        ? Words.cut(text, code).size()
                        : counting.tokenize(text).size(),
                new Terms(card, session()),
                term -> 1,
                code);
    }

    private void write(WindowedBenchmark windows, String units, DatasetCard card) {
        if (variants) {
            options.build(
                    () -> windows.variants(card.with(
                            DatasetCard.Field.CONTENT_FIXED,
                            "windows of " + length + " " + units + " at " + places + " places")),
                    session());
            return;
        }
        SequencedMap<String, Converter> parts = new LinkedHashMap<>();
        for (String name : places()) {
            parts.put(name, windows.at(parts.size() + 1, card.withName(card.name() + "/" + name)));
        }
        options.buildAll(scratch -> parts, note -> {}, session());
    }

    private SequencedSet<String> places() {
        return IntStream.rangeClosed(1, places)
                .mapToObj(place -> "place-" + place)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private DatasetCard card(DatasetCard input, String units) {
        String source = "windows of " + length + " " + units + " from " + input.name()
                + (input.source().isEmpty() ? "" : " (" + input.source() + ")");
        return options.card("", "relative:" + places, source, "").orElse(input);
    }

    private Dataset dataset(Path scratch) {
        List<Path> articles = inputs.stream()
                .filter(DataBuildWindowsCommand::isArticles)
                .map(Path::of)
                .toList();
        articles.forEach(file -> isFile("--input", file));
        List<Dataset> parts = new ArrayList<>();
        if (!articles.isEmpty()) {
            parts.add(joined(articles, scratch.resolve("joined")));
        }
        Datasets known = new Datasets(session());
        inputs.stream()
                .filter(input -> !isArticles(input))
                .flatMap(input -> known.sources(input).stream())
                .map(source -> source.lazy(session().progress()).open())
                .forEach(parts::add);
        parts.forEach(part -> refuse(
                !part.card().contentFixed().isEmpty(), "--input " + part.name() + " already consists of windows"));
        return parts.size() == 1
                ? parts.getFirst()
                : DatasetPool.of(parts.stream().map(Dataset::name).collect(Collectors.joining("+")), parts);
    }

    private static boolean isArticles(String input) {
        return input.matches("(?s).*\\.json" + RowFile.COMPRESSED);
    }

    private Dataset joined(List<Path> files, Path folder) {
        String name =
                files.stream().map(file -> String.valueOf(file.getFileName())).collect(Collectors.joining("+"));
        DatasetCard card = DatasetCard.named("articles")
                .with(DatasetCard.Field.LANGUAGE, Language.code(language))
                .with(DatasetCard.Field.SOURCE, name);
        return Converter.build(
                folder, false, SquadConverter.ofArticles(files, card), note -> say("note: " + note), session());
    }
}
