package io.posbias.cli.diagnose;

import io.posbias.ExitCode;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.Documents;
import io.posbias.diagnose.Needle;
import io.posbias.diagnose.NeedleDiagnosis;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose needle}: irrelevant text put in, thirds taken out. */
@Command(
        name = "needle",
        description = {
            "Put an irrelevant passage at the beginning, middle or end of relevant documents, and",
            "take out each third of them: how much does the score of query and document change?"
        },
        sortOptions = false,
        footer = {
            "",
            "Only documents of at least " + Needle.LEAST_SENTENCES + " sentences count.",
            "",
            "Examples:",
            "  posbias diagnose needle --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose needle --model my.yaml --dataset mine --needle noise.txt",
        })
final class DiagnoseNeedleCommand extends Verb {
    private static final String ENGLISH = "en";

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--needle",
            paramLabel = "FILE",
            description = "An irrelevant passage of your own, in UTF-8 (default: three English sentences).")
    private @Nullable Path file;

    @Override
    public Integer call() {
        List<Recipe> recipes = options.checked();
        Needle needle = file == null ? Needle.bundled() : Needle.read(file);
        Documents documents = options.documents(session());
        String language = documents.language();
        if (file == null && !language.equals(ENGLISH) && !language.isEmpty()) {
            say("warning: the passage put in is English, the documents are \"" + language
                    + "\"; give one in their language with --needle");
        }
        options.look(this, new NeedleDiagnosis(documents, needle, options.confidence(), session()), recipes);
        return ExitCode.OK;
    }
}
