package io.posbias.cli.data;

import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.Query;
import io.posbias.dataset.convert.Sampler;
import io.posbias.dataset.convert.SubsetConverter;
import io.posbias.position.Bucketing;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "sample",
        description = {
            "Draw a part of a benchmark's queries; the corpus stays whole. Queries in file order are shuffled",
            "as CPython's random.seed(SEED); random.shuffle does, and the first are taken."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias data sample squad-posq --recipe squad-posq-tiny --out tiny",
            "  posbias data sample my-squad --n 500 --seed 7 --out small",
            "  posbias data sample my-squad --n 100 --per-bucket --out balanced",
        })
final class DataSampleCommand extends Verb {
    @Parameters(paramLabel = "DATASET", description = "A folder, or a name from 'posbias data list'.")
    private String name = "";

    @Option(
            names = "--recipe",
            paramLabel = "RECIPE",
            description = "A paper's own subset: squad-posq-tiny or fineweb-posq-tiny.")
    private @Nullable String recipe;

    @Option(names = "--n", paramLabel = "N", description = "How many queries.")
    private @Nullable Integer n;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
    private int seed = Sampler.PAPER_SEED;

    @Option(names = "--per-bucket", description = "Take N queries of each position bucket instead of N in all.")
    private boolean perBucket;

    @Mixin
    private BuildOptions options = new BuildOptions();

    @Override
    protected void work() {
        Dataset dataset = dataset(name);
        Function<List<Query>, List<Query>> draw = draw(dataset);
        DatasetCard original = dataset.card();
        options.build(
                () -> new SubsetConverter(
                        dataset,
                        draw,
                        options.card("", "", "drawn from " + original.name(), "")
                                .orElse(original)),
                session());
    }

    private Function<List<Query>, List<Query>> draw(Dataset dataset) {
        if (recipe != null) {
            refuse(n != null || perBucket, "--recipe fixes what is drawn: leave out --n and --per-bucket");
            Function<List<Query>, List<Query>> known = Sampler.RECIPES.get(recipe);
            if (known == null) {
                throw new UsageException(Names.unknown("recipe", recipe, Sampler.RECIPES.keySet()));
            }
            return known;
        }
        if (n == null || n < 1) {
            throw new UsageException("give --recipe, or --n with at least 1");
        }
        atLeast("--seed", seed, 0);
        int wanted = n;
        if (!perBucket) {
            return queries -> Sampler.draw(queries, wanted, seed);
        }
        Bucketing bucketing = options.bucketing(dataset.card());
        return queries -> Sampler.drawPerBucket(
                queries,
                wanted,
                seed,
                bucketing.positions().buckets().size(),
                query -> bucketing.bucketsOf(query.evidence()));
    }
}
