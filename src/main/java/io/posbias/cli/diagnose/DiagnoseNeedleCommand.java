package io.posbias.cli.diagnose;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Configs;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.StudyCommand;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.placing.Documents;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.NeedleDiagnosis;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "needle",
        description = "Add an irrelevant passage to documents, or cut a third out.",
        footer = {
            "",
            "The passage goes to the beginning, middle or end of relevant documents, and each third of them is taken out: how much does the score of query and document change?",
            "",
            "Only documents of at least " + NeedleDiagnosis.LEAST_SENTENCES
                    + " sentences count. Datasets are pooled; all must be in one language.",
            "",
            "Examples:",
            "  posbias diagnose needle --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose needle --model my.yaml --dataset mine --needle noise.txt",
        })
final class DiagnoseNeedleCommand extends StudyCommand implements Study.Command {
    private static final String ENGLISH = "en";

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--needle",
            paramLabel = "FILE",
            description = "File with an irrelevant passage in UTF-8 (default: three English sentences).")
    private @Nullable Path file;

    @Override
    public Study study() {
        return NeedleDiagnosis.study();
    }

    @Override
    protected void work() {
        List<Recipe> recipes = options.checked(session());
        String needle = file == null
                ? new String(Configs.read("data/diagnose/needle.txt"), StandardCharsets.UTF_8).strip()
                : IoErrors.call("read", file, () -> Files.readString(file)).strip();
        if (needle.isEmpty()) {
            throw new PosbiasException(file + " is empty; a needle is a sentence or a few");
        }
        Documents documents = options.documents(this);
        String language = documents.language();
        if (file == null && !language.equals(ENGLISH) && !language.isEmpty()) {
            say("warning: the passage put in is English, the documents are " + Printable.quoted(language)
                    + "; give one in their language with --needle");
        }
        options.runDiagnosis(
                this, new NeedleDiagnosis(documents, needle, options.settings().confidence(), session()), recipes);
    }
}
