package io.posbias.cli;

import io.posbias.base.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs that cannot be written are refused in the first line, before anything is scored, asked or cut. */
class OutputChecksTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eval --model bm25 --dataset demo --out",
                "eval --model bm25 --dataset demo --results",
                "mitigate --model bm25 --dataset demo --plots",
                "diagnose moving --model bm25 --dataset demo --out",
                "diagnose moving --model bm25 --dataset demo --plots",
                "diagnose position --model bm25 --dataset demo --plots",
                "diagnose reversal --model bm25 --dataset demo --plots",
                "diagnose saliency --model bm25 --dataset demo --html",
                "probe run --model bm25 --data demo --plots",
                "data stats demo --plots",
                "data sample demo --n 5 --out",
                "data build windows --input demo --out",
                "train --model all-minilm-l6-v2 --data demo --out",
            })
    void belowAFile(String command) throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "");
        Cli.run(command, file.resolve("x")).fails(ExitCode.FAILURE, "cannot write " + file);
    }

    @Test
    void foldersAreNoFilesAndFilesNoFolders() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "");
        Cli.run("diagnose position --model bm25 --dataset demo --plots", file)
                .fails(ExitCode.USAGE, "--plots " + file + " is a file");
        Cli.run("diagnose saliency --model bm25 --dataset demo --html", temp)
                .fails(ExitCode.FAILURE, "cannot write " + temp);
        Cli.run("construct rate-translations", temp, "--out", temp, "--llm http://127.0.0.1:1/v1 --llm-model m")
                .fails(ExitCode.FAILURE, "cannot write " + temp);
        Cli.run("data build windows --input demo --out", temp).fails(ExitCode.USAGE, "--out " + temp);
    }
}
