package io.posbias.cli.data;

import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.cli.common.Checks;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.convert.Converter;
import io.posbias.dataset.convert.DatasetBuilder;
import io.posbias.evaluate.Datasets;
import io.posbias.position.Bucketing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a benchmark is written and what is said of it; shared by everything under {@code data build}. */
final class BuildOptions {
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder of the new benchmark.")
    private Path out = Path.of("");

    @Option(names = "--overwrite", description = "Replace the benchmark that is in the folder.")
    private boolean overwrite;

    @Option(names = "--gzip", description = "Compress corpus and queries.")
    private boolean gzip;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What results call the benchmark (default: the folder's name).")
    private @Nullable String name;

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "How eval groups positions unless told otherwise; see 'posbias eval --help'.")
    private @Nullable String buckets;

    @Option(names = "--licence", paramLabel = "TEXT", description = "Licence of the texts, for dataset.yaml.")
    private String licence = "";

    /** A card with what the options say and the given defaults. */
    DatasetCard card(String language, String bucketing, String source, String citation) {
        String grouping = buckets == null ? bucketing : Bucketing.parse(buckets).toString();
        return new DatasetCard(
                called(),
                language,
                language,
                licence,
                source,
                grouping,
                citation,
                DatasetCard.EvidenceText.PASSAGE,
                Map.of());
    }

    private String called() {
        if (name != null) {
            return Datasets.checkedName(name);
        }
        String last = String.valueOf(out.toAbsolutePath().normalize().getFileName());
        if (!DatasetCard.isName(last)) {
            throw new UsageException("a benchmark cannot be called \"" + last + "\" after its folder: give --name; "
                    + DatasetCard.NAME_RULE);
        }
        return last;
    }

    /** The card of another benchmark under the new name, with what the options say otherwise. */
    DatasetCard cardLike(DatasetCard original) {
        return card("", "", "drawn from " + original.name(), "").orElse(original);
    }

    /** The bucketing that the options or a card say. */
    Bucketing bucketing(DatasetCard card) {
        String specification = buckets == null ? card.bucketing() : buckets;
        if (specification.isEmpty()) {
            throw new UsageException("dataset " + card.name() + " does not say how to group positions: give --buckets");
        }
        return Bucketing.parse(specification);
    }

    /** Converts into the folder, whole or not at all, and says what was made. */
    void build(Function<Path, Converter> converters, Session session) {
        refuseExisting();
        Dataset dataset = DatasetBuilder.build(out, gzip, converters, note -> session.say("note: " + note));
        session.say(dataset.name() + ": " + dataset.passages().size() + " passages, "
                + dataset.queries().size() + " queries in " + out);
    }

    /** Only a benchmark is ever replaced: a mistyped folder with other things in it stays as it is. */
    private void refuseExisting() {
        if (!Files.exists(out)) {
            return;
        }
        Checks.isNoFile("--out", out);
        Optional<Path> foreign = DatasetFiles.first(out, file -> !DatasetFiles.isPart(file));
        if (foreign.isPresent()) {
            throw new UsageException("--out " + out + " holds " + foreign.get()
                    + ", which is no part of a benchmark: give a new folder");
        }
        if (!overwrite && DatasetFiles.first(out, DatasetFiles::isPart).isPresent()) {
            throw new UsageException("--out " + out + " holds a benchmark: use --overwrite to replace it");
        }
    }
}
