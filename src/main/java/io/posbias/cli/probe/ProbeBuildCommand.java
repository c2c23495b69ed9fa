package io.posbias.cli.probe;

import io.posbias.base.files.Staging;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.Chat.AskedModel;
import io.posbias.study.probe.redocred.ProbeFolder;
import io.posbias.study.probe.redocred.QuestionTemplates;
import io.posbias.study.probe.redocred.RedocredProbes;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "build",
        description = "Build pairs of texts that differ in one property.",
        subcommands = {ProbeBuildCommand.Redocred.class},
        footer = {
            "",
            "Example:",
            "  posbias probe build redocred --input dev_revised.json \\",
            "      --input test_revised.json --out probes",
        })
final class ProbeBuildCommand extends Group {
    @Command(
            name = "redocred",
            description = "Build the ColDeR paper's probes from Re-DocRED.",
            footer = {
                "",
                "Each relation becomes a question; each probe pairs its evidence with a text that differs in one property: "
                        + "place, length, name, repetition, the relation, or the answer. Writes PROBE.jsonl for each probe, and "
                        + "probes.yaml with counts. With --llm a language model writes poison's wrong answers, as in the "
                        + "paper ('Collapse of Dense Retrievers', arXiv:2503.05037).",
                "",
                "Examples:",
                "  posbias probe build redocred --input dev_revised.json \\",
                "      --input test_revised.json",
                "  posbias probe build redocred --input test_revised.json --out foils \\",
                "      --probe foil,poison --n 100",
                "  posbias probe build redocred --input test_revised.json --out poisoned \\",
                "      --probe foil,poison --llm http://localhost:8000/v1 --llm-model my-model",
            })
    static final class Redocred extends DatasetCommand {
        static final class ProbeNames implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return RedocredProbes.names().iterator();
            }
        }

        @Option(
                names = "--input",
                required = true,
                paramLabel = "FILE",
                description = "File of Re-DocRED. Repeatable; test files are read before dev files.")
        private List<Path> inputs = List.of();

        @Option(
                names = "--corpus",
                paramLabel = "FILE",
                description =
                        "File of Re-DocRED or DocRED with further articles; queries that they answer are left out. "
                                + "The paper's: train_revised.json and DocRED's train_distant.json. Repeatable.")
        private List<Path> corpus = List.of();

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description =
                        "Output folder (default: probes/redocred in posbias's folder, selected by --data redocred).")
        private @Nullable Path out;

        @Option(names = "--overwrite", description = "Replace all probes in the folder.")
        private boolean overwrite;

        @Heading("Probes:")
        @Option(
                names = "--probe",
                split = ",",
                paramLabel = "PROBE,..",
                completionCandidates = ProbeNames.class,
                description = "Build only these, separated by commas (default: all): ${COMPLETION-CANDIDATES}.")
        private List<String> probes = List.copyOf(RedocredProbes.names());

        @Heading("Probes:")
        @Option(
                names = "--templates",
                paramLabel = "SET",
                description =
                        "${COMPLETION-CANDIDATES}: the 55 questions of the paper and its released pairs, or those "
                                + "and the authors' 39 for the other relations (default: ${DEFAULT-VALUE}).")
        private QuestionTemplates templates = QuestionTemplates.PAPER;

        @Heading("Probes:")
        @Option(
                names = "--keep-duplicates",
                description = "Keep queries that another article of the input also answers.")
        private boolean keepDuplicates;

        @Heading("Probes:")
        @Option(
                names = "--n",
                paramLabel = "N",
                description = "Queries of each probe (default: " + RedocredProbes.PAPER_N + ", and all for grid).")
        private @Nullable Integer n;

        @Heading("Probes:")
        @Least(0)
        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the samples (default: the paper's, 1 for literal and 0 for the others).")
        private @Nullable Integer seed;

        @Mixin
        private ChatOptions chat = new ChatOptions();

        @Override
        protected void work() {
            refuse(n != null && n < 1, "--n must be 1 or more, not " + n);
            inputs.forEach(input -> isFile("--input", input));
            corpus.forEach(file -> isFile("--corpus", file));
            refuse(
                    keepDuplicates && !corpus.isEmpty(),
                    "--corpus is searched for duplicates, which --keep-duplicates keeps: give one of them");
            for (String probe : probes) {
                refuse(
                        !RedocredProbes.names().contains(probe),
                        Suggestions.unknown("probe", probe, RedocredProbes.names()));
            }
            try (Staging staging = Staging.beside(folder(), session())) {
                replaceable(folder(), overwrite, RedocredProbes::isPart, "probes", "them");
                build(staging);
            }
            if (out == null) {
                say("probes in " + folder());
            }
        }

        private void build(Staging staging) {
            if (!chat.isAnyGiven()) {
                build(staging, null);
                return;
            }
            ChatSettings settings = chat.settings();
            refuse(
                    !probes.contains(RedocredProbes.poisoned()),
                    "--llm belongs to the probe " + RedocredProbes.poisoned() + ", which --probe leaves out");
            try (CachedChat asked = chat.open(settings, session())) {
                build(staging, new AskedModel(asked, settings.model(), "wrong answers", this::say));
            } finally {
                say("this run: " + chat.meter());
            }
        }

        private void build(Staging staging, @Nullable Chat poisoner) {
            Set<String> chosen = new LinkedHashSet<>(probes);
            new RedocredProbes(inputs, corpus, templates, keepDuplicates, chosen, n, seed, poisoner)
                    .build(staging, session());
        }

        private Path folder() {
            return out == null ? ProbeFolder.ofRedocred(session().home()) : out;
        }
    }
}
