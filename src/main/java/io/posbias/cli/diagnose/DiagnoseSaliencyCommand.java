package io.posbias.cli.diagnose;

import io.posbias.Staging;
import io.posbias.cli.common.Checks;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.SaliencyDiagnosis;
import io.posbias.diagnose.SaliencyMap;
import io.posbias.diagnose.SaliencyMethod;
import io.posbias.diagnose.SaliencySource;
import io.posbias.report.page.SaliencyPage;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose saliency}: what each part of a document matters to its score. */
@Command(
        name = "saliency",
        description = {
            "Ask what each part of a document matters to the score of query and document, and",
            "where in documents that is."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose saliency --model all-minilm-l6-v2 --dataset demo \\",
            "      --method contribution --html texts.html --plots pictures",
            "  posbias diagnose saliency --model my.yaml --dataset posir/eng-Latn \\",
            "      --evidence-between 0.4,0.6 --min-words 800 --window 50 --n 300",
        })
final class DiagnoseSaliencyCommand extends Verb {
    private static final int EXAMPLES = 20;

    @Mixin
    private SaliencyOptions how = new SaliencyOptions();

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a page that shows documents coloured by saliency.")
    private @Nullable Path html;

    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Documents on the page, evenly spaced among all (default: " + EXAMPLES + ").")
    private @Nullable Integer examples;

    @Override
    protected void work() {
        List<Recipe> recipes = checked();
        SaliencyDiagnosis.Settings settings = how.settings();
        SaliencyDiagnosis diagnosis = new SaliencyDiagnosis(
                options.documents(this), settings, how.between().orElse(null), options.confidence(), session());
        Map<String, SaliencyDiagnosis.Found> found = options.look(this, diagnosis, recipes);
        if (html != null) {
            Staging.writeFile(
                    html,
                    SaliencyPage.render(
                            diagnosis.dataset(),
                            settings,
                            diagnosis.tables(found),
                            examples(found),
                            diagnosis.pairs()));
            say("page in " + html);
        }
    }

    private List<Recipe> checked() {
        how.check();
        Checks.belongs(examples != null && html == null, "--examples", "--html");
        Checks.atLeast("--examples", examples, 1);
        List<Recipe> recipes = options.checked();
        if (how.method() == SaliencyMethod.CONTRIBUTION) {
            SaliencySource.ByContribution.check(recipes);
        }
        return recipes;
    }

    /** Some pairs, evenly spaced among all. */
    private List<SaliencyPage.Example> examples(Map<String, SaliencyDiagnosis.Found> found) {
        int pairs = found.values().iterator().next().maps().size();
        int shown = Math.min(pairs, examples == null ? EXAMPLES : examples);
        List<SaliencyPage.Example> chosen = new ArrayList<>();
        for (int i = 0; i < shown; i++) {
            int place = (int) ((long) i * pairs / shown);
            Map<String, SaliencyMap> byModel = new LinkedHashMap<>();
            found.forEach((model, all) -> byModel.put(model, all.maps().get(place)));
            chosen.add(new SaliencyPage.Example(byModel));
        }
        return chosen;
    }
}
