package io.posbias.cli.construct;

import io.posbias.base.files.Staging;
import io.posbias.base.text.Plural;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.study.build.TranslationRatings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "rate-translations",
        description = "Rate translations with a language model.",
        footer = {
            "",
            "The model rates fluency, accuracy, completeness and style from 1 to 5; overall is their mean (PosIR,"
                    + " Table 7 and Figure 7). Replies are cached; a stopped run continues. 'posbias correlate ratings'"
                    + " compares raters.",
            "",
            "Examples:",
            "  posbias construct rate-translations my-translations --out ratings.jsonl \\",
            "      --n 12 --llm http://localhost:8000/v1 --llm-model qwen3",
            "  posbias construct rate-translations systems.jsonl --out ratings.jsonl \\",
            "      --llm http://localhost:8000/v1 --llm-model qwen3 --max-calls 0",
        })
final class RateTranslationsCommand extends BaseCommand {
    @Parameters(
            paramLabel = "INPUT",
            description = "The --out of 'posbias construct' with translations, or rows with id, language, source, "
                    + "translation and optionally system (.jsonl, .parquet or .tsv).")
    private Path input = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "File of ratings, JSON lines.")
    private Path out = Path.of("");

    @Least(1)
    @Option(
            names = "--n",
            paramLabel = "N",
            description = "Documents to draw per length bucket, with all their translations (default: all).")
    private @Nullable Integer n;

    @Least(0)
    @Option(names = "--seed", paramLabel = "S", description = "Seed of the draw (default: ${DEFAULT-VALUE}).")
    private int seed = 42;

    @Heading("Tuning:")
    @Option(
            names = "--prompt",
            paramLabel = "NAME|FILE",
            description = "Prompt with {language}, {source} and {translation} (default: ${DEFAULT-VALUE}).")
    private String prompt = "rating";

    @Mixin
    private ChatOptions chat = new ChatOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        Staging.checkFile(out);
        ChatSettings settings = chat.settings();
        List<TranslationRatings.Pair> pairs = TranslationRatings.read(input, n, seed);
        if (chat.isEstimate()) {
            printLine("estimate: " + Plural.of(pairs.size(), "call") + " at most; nothing was sent");
            return;
        }
        List<TranslationRatings.Rated> rated;
        try (CachedChat judge = chat.open(settings, session())) {
            rated = TranslationRatings.rate(pairs, judge, settings.model(), prompt, session());
        } finally {
            say("language model: " + chat.meter());
        }
        TranslationRatings.write(rated, out);
        say(rated.size() + " ratings in " + out);
        List<TranslationRatings.Mean> means = TranslationRatings.means(rated);
        print(form.text(
                () -> means,
                () -> List.of(TranslationRatings.table("Ratings by " + settings.model(), means)),
                () -> TranslationRatings.raw(means),
                session()));
    }
}
