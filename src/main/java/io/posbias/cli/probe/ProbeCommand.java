package io.posbias.cli.probe;

import io.posbias.cli.common.Group;
import picocli.CommandLine.Command;

/** {@code posbias probe}: controlled pairs of documents. */
@Command(
        name = "probe",
        description = "Score pairs of documents that differ in one thing.",
        subcommands = {
            ProbeBuildCommand.class,
            ProbeImportCommand.class,
            ProbeRunCommand.class,
            ProbeRagCommand.class,
            ProbeAnswersCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  posbias probe build redocred --input dev_revised.json \\",
            "      --input test_revised.json --out probes",
            "  posbias probe import colder test/*.jsonl --out colder",
            "  posbias probe run --model bm25,all-minilm-l6-v2 --data probes",
            "  posbias probe rag --data probes --llm http://localhost:8000/v1 \\",
            "      --llm-model my-model",
        })
public final class ProbeCommand extends Group {}
