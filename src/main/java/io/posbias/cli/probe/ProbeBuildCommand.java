package io.posbias.cli.probe;

import io.posbias.ExitCode;
import io.posbias.Names;
import io.posbias.UsageException;
import io.posbias.cli.common.Checks;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.DatasetFiles;
import io.posbias.encode.api.CachedChat;
import io.posbias.encode.api.ChatSettings;
import io.posbias.probe.AskedModel;
import io.posbias.probe.Chat;
import io.posbias.probe.redocred.ProbeFolder;
import io.posbias.probe.redocred.Profile;
import io.posbias.probe.redocred.QuestionTemplates;
import io.posbias.probe.redocred.RedocredProbes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias probe build}: probes out of annotated documents. */
@Command(
        name = "build",
        description = "Build probes from annotated documents.",
        subcommands = {ProbeBuildCommand.Redocred.class},
        footer = {
            "",
            "Example:",
            "  posbias probe build redocred --input dev_revised.json \\",
            "      --input test_revised.json --out probes",
        })
final class ProbeBuildCommand extends Group {
    @Override
    protected String wanted() {
        return "kind of documents";
    }

    /** Re-DocRED's files. */
    @Command(
            name = "redocred",
            description = {
                "The probes of 'Collapse of Dense Retrievers' (ColDeR, arXiv:2503.05037) from",
                "Re-DocRED: answer, answer-single, position, moving, literal, brevity, repetition,",
                "grid, foil, poison. Each becomes PROBE.jsonl, probes.yaml says what was counted.",
                "With --llm a language model thinks of poison's wrong answers, as in the paper."
            },
            sortOptions = false,
            footer = {
                "",
                "Examples:",
                "  posbias probe build redocred --input dev_revised.json \\",
                "      --input test_revised.json",
                "  posbias probe build redocred --input test_revised.json --out foils \\",
                "      --probe foil,poison --profile compat --n 100",
                "  posbias probe build redocred --input test_revised.json --out poisoned \\",
                "      --probe foil,poison --llm http://localhost:8000/v1 --llm-model my-model",
            })
    static final class Redocred extends Verb {
        @Option(
                names = "--input",
                required = true,
                paramLabel = "FILE",
                description = {
                    "A file of Re-DocRED; may be repeated. Test files are read before dev files,",
                    "whatever their order here."
                })
        private List<Path> inputs = List.of();

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = {
                    "Folder of the new probes (default: probes/redocred in posbias's own folder, which",
                    "--data redocred names)."
                })
        private @Nullable Path out;

        @Option(names = "--overwrite", description = "Replace all probes that are in the folder.")
        private boolean overwrite;

        @Option(
                names = "--probe",
                split = ",",
                paramLabel = "PROBE",
                description = "Build only these, separated by commas (default: all).")
        private List<String> probes = List.copyOf(RedocredProbes.names());

        @Option(
                names = "--profile",
                paramLabel = "PROFILE",
                defaultValue = "strict",
                description = {
                    "${COMPLETION-CANDIDATES}: as the paper's formulas say, or as its notebooks",
                    "did, which gave its numbers (default: ${DEFAULT-VALUE})."
                })
        private Profile profile = Profile.STRICT;

        @Option(
                names = "--templates",
                paramLabel = "SET",
                defaultValue = "paper",
                description = {
                    "${COMPLETION-CANDIDATES}: the paper's 51 questions, or those and 43 of our own",
                    "for the other relations (default: ${DEFAULT-VALUE})."
                })
        private QuestionTemplates templates = QuestionTemplates.PAPER;

        @Option(
                names = "--keep-duplicates",
                description = "Keep queries that another article of the input answers as well.")
        private boolean keepDuplicates;

        @Option(
                names = "--n",
                paramLabel = "N",
                description = "Queries of each probe (default: " + RedocredProbes.PAPER_N + ", and all for grid).")
        private @Nullable Integer n;

        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the samples (default: the paper's, 1 for literal and 0 for the others).")
        private @Nullable Integer seed;

        @Mixin
        private ChatOptions chat = new ChatOptions();

        @Override
        public Integer call() {
            refuseImpossible();
            refuseExisting();
            Set<String> chosen = chosen();
            if (!chat.isAnyGiven()) {
                build(chosen, null);
                return ExitCode.OK;
            }
            ChatSettings settings = chat.settings();
            if (!chosen.contains(RedocredProbes.poisoned())) {
                throw new UsageException(
                        "--llm belongs to the probe " + RedocredProbes.poisoned() + ", which --probe leaves out");
            }
            try (CachedChat asked = chat.open(settings)) {
                build(chosen, new AskedModel(asked, settings.model(), "wrong answers", chat::say));
            } finally {
                chat.say("this run: " + chat.meter());
            }
            return ExitCode.OK;
        }

        private void build(Set<String> chosen, @Nullable Chat poisoner) {
            new RedocredProbes(inputs, profile, templates, keepDuplicates, chosen, n, seed, poisoner)
                    .build(folder(), this::say);
            if (out == null) {
                say("probes in " + folder());
            }
        }

        private void refuseImpossible() {
            if (n != null && n < 1) {
                throw new UsageException("--n must be 1 or more, not " + n);
            }
            Checks.atLeast("--seed", seed, 0);
            for (Path input : inputs) {
                Checks.isFile("--input", input);
            }
        }

        private Set<String> chosen() {
            for (String probe : probes) {
                if (!RedocredProbes.names().contains(probe)) {
                    throw new UsageException(Names.unknown("probe", probe, RedocredProbes.names()));
                }
            }
            return new LinkedHashSet<>(probes);
        }

        private Path folder() {
            return out == null ? ProbeFolder.ofRedocred(session().home()) : out;
        }

        /** Only probes are ever replaced: a mistyped folder with other things in it stays as it is. */
        private void refuseExisting() {
            Path folder = folder();
            if (!Files.exists(folder)) {
                return;
            }
            Checks.isNoFile("--out", folder);
            Optional<Path> foreign = DatasetFiles.first(folder, file -> !RedocredProbes.isPart(file));
            if (foreign.isPresent()) {
                throw new UsageException("--out " + folder + " holds " + foreign.get()
                        + ", which is no part of probes: give a new folder");
            }
            if (!overwrite && DatasetFiles.first(folder, RedocredProbes::isPart).isPresent()) {
                throw new UsageException("--out " + folder + " holds probes: use --overwrite to replace them");
            }
        }
    }
}
