package io.posbias.cli.data;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Session;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.Heading;
import io.posbias.data.convert.Converter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.position.Bucketing;
import java.nio.file.Path;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class BuildOptions {
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder of the new benchmark.")
    private Path out = Path.of("");

    @Option(names = "--overwrite", description = "Replace the benchmark in the folder.")
    private boolean overwrite;

    @Heading("Benchmark:")
    @Option(names = "--gzip", description = "Compress corpus and queries.")
    private boolean gzip;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the benchmark in results (default: the folder's name).")
    private @Nullable String name;

    @Heading("Benchmark:")
    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Default position buckets of the benchmark; see 'posbias eval --help-all'.")
    private @Nullable String buckets;

    @Heading("Benchmark:")
    @Option(names = "--licence", paramLabel = "TEXT", description = "Licence of the texts, for dataset.yaml.")
    private String licence = "";

    DatasetCard card(String language, String bucketing, String source, String citation) {
        String grouping = buckets == null ? bucketing : Bucketing.parse(buckets).toString();
        return DatasetCard.named(called())
                .with(DatasetCard.Field.LANGUAGE, language)
                .with(DatasetCard.Field.LICENCE, licence)
                .with(DatasetCard.Field.SOURCE, source)
                .with(DatasetCard.Field.BUCKETING, grouping)
                .with(DatasetCard.Field.CITATION, citation);
    }

    private String called() {
        if (name != null) {
            return DatasetCard.checkedName(name);
        }
        String last = String.valueOf(out.toAbsolutePath().normalize().getFileName());
        BaseCommand.refuse(
                !DatasetCard.isName(last),
                "a benchmark cannot be called " + Printable.quoted(last) + " after its folder: give --name; "
                        + DatasetCard.NAME_RULE);
        return last;
    }

    Bucketing bucketing(DatasetCard card) {
        String specification = buckets == null ? card.bucketing() : buckets;
        BaseCommand.refuse(
                specification.isEmpty(), "dataset " + card.name() + " has no position buckets: give --buckets");
        return Bucketing.parse(specification);
    }

    /**
     * Refuses an output folder that this command must not replace.
     *
     * @param parts subfolders with benchmarks; empty for one benchmark
     */
    void refuseExisting(Set<String> parts) {
        if (parts.isEmpty()) {
            DatasetCommand.replaceable(out, overwrite, DatasetFiles::isPart, "a benchmark", "it");
        } else {
            DatasetCommand.replaceable(out, overwrite, file -> isPart(file, parts), "such benchmarks", "them");
        }
    }

    /**
     * Builds several benchmarks in subfolders, all or none.
     *
     * @param converters by name, given a folder for temporary files
     */
    void buildAll(Function<Path, SequencedMap<String, Converter>> converters, Consumer<String> notes, Session session) {
        try (Staging staging = Staging.beside(out, session)) {
            Path scratch = staging.folder().resolve("unpacked");
            SequencedMap<String, Converter> parts = converters.apply(scratch);
            refuseExisting(parts.keySet());
            session.step("build " + out, () -> {
                parts.forEach((name, converter) -> Converter.build(
                        staging.folder().resolve(name),
                        gzip,
                        converter,
                        note -> notes.accept(name + ": " + note),
                        session));
                Staging.delete(scratch);
                staging.commitFolder();
                return out;
            });
            session.say(String.join(", ", parts.keySet()) + " in " + out);
        }
    }

    private static boolean isPart(Path file, Set<String> parts) {
        return file.getNameCount() > 1
                && parts.contains(file.getName(0).toString())
                && DatasetFiles.isPart(file.subpath(1, file.getNameCount()));
    }

    void build(Supplier<Converter> converter, Session session) {
        try (Staging staging = Staging.beside(out, session)) {
            refuseExisting(Set.of());
            Dataset dataset = session.step(
                    "build " + out,
                    () -> Converter.build(staging, gzip, converter.get(), note -> session.say("note: " + note)));
            session.say(dataset.name() + ": " + Plural.of(dataset.passages().size(), "passage") + ", "
                    + Plural.of(dataset.queries().size(), "query") + " in " + out);
        }
    }
}
