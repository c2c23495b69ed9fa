package io.posbias.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code posbias probe}: controlled pairs of documents. */
@Command(
        name = "probe",
        description = "Pairs of documents that differ in one thing: position, length, names, answer.",
        subcommands = {ProbeBuildCommand.class, ProbeRunCommand.class, ProbeRagCommand.class},
        footer = {
            "",
            "Examples:",
            "  posbias probe build redocred --input dev_revised.json \\",
            "      --input test_revised.json --out probes",
            "  posbias probe run --model bm25,all-minilm-l6-v2 --data probes",
            "  posbias probe rag --data probes --llm http://localhost:8000/v1 \\",
            "      --llm-model my-model",
        })
final class ProbeCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
