package io.posbias.cli.common;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetPool;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.named.Datasets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

public final class DatasetNames {
    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET,..",
            description =
                    "Datasets: names or patterns from 'posbias data list --all', hf:ORG/NAME, folders, or files like"
                            + " SQuAD's.")
    private List<String> names = List.of();

    private final Map<String, String> given = new HashMap<>();

    @Mixin
    private LanguageOption language = new LanguageOption();

    /**
     * Opened benchmarks.
     *
     * @param name names of single benchmarks and patterns as given, joined by commas
     */
    public record Opened(String name, List<Dataset> all) {
        /** The union of all benchmarks, or the single one. */
        public Dataset pooled() {
            return all.size() == 1 ? all.getFirst() : DatasetPool.of(name, all);
        }
    }

    public List<String> names() {
        return names;
    }

    public Datasets known(Session session) {
        return language.datasets(session);
    }

    /** Finds the benchmarks, and remembers what named each. */
    public List<Datasets.Source> sources(JudgementOptions judgements, Session session) {
        Datasets known = known(session);
        return names.stream()
                .flatMap(name -> named(name, judgements, known).stream())
                .toList();
    }

    private List<Datasets.Source> named(String name, JudgementOptions judgements, Datasets known) {
        List<Datasets.Source> sources = judgements.sources(List.of(name), known);
        if (sources.size() == 1) {
            given.put(sources.getFirst().name(), name);
        }
        return sources;
    }

    /** Returns what named the benchmarks that were found, by their names; a group names none. */
    public Map<String, String> given() {
        return Collections.unmodifiableMap(given);
    }

    /** Opens the benchmarks, downloading missing ones. */
    public Opened open(BaseCommand command) {
        return open(command, names, known(command.session()));
    }

    public static Opened open(BaseCommand command, List<String> names, Datasets known) {
        List<String> together = new ArrayList<>();
        List<Datasets.Source> sources = new ArrayList<>();
        for (String name : names) {
            List<Datasets.Source> own = known.sources(name);
            together.add(own.size() == 1 ? own.getFirst().name() : name);
            sources.addAll(own);
        }
        return opened(command, String.join(",", together), sources);
    }

    /** @param name of their union */
    public static Opened opened(BaseCommand command, String name, List<Datasets.Source> sources) {
        FileNames.requireDistinct("--dataset", "dataset", sources.stream().map(Datasets.Source::name));
        return new Opened(
                name,
                sources.stream().map(source -> load(source, command.session())).toList());
    }

    /** Loads a benchmark, downloading it if it is missing. */
    public static Dataset load(Datasets.Source source, Session session) {
        DatasetFiles files = source.files();
        return session.step("load " + source.name(), () -> DatasetReader.open(files, files.checksums()));
    }
}
