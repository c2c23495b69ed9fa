package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.inside.TinyModels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TorchScript files that load and do not compute what gradients need: one line, not a bug. */
@Tag("slow")
class HostileTorchScriptTest {
    private static final String CODE = "rotary/code/__torch__/export_wrappers.py";
    private static final String RESULT = "return torch.to(_0, 6)";

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            return torch.to(_0, 7) | model.torchscript gives float64
            return torch.detach(torch.to(_0, 6)) | gradients
            return torch.select(torch.to(_0, 6), 1, 0) | model.torchscript gives float32
            return torch.slice(torch.to(_0, 6), 1, 0, 1) | model.torchscript gives float32
            return torch.reshape(torch.to(_0, 6), [7, 13]) | model.torchscript cannot run a batch of shape (1, 4, 8): RuntimeError: shape
            return (torch.to(_0, 6), _0) | model.torchscript
            return 5 | model.torchscript
            return torch.nosuch(_0) | as TorchScript:
            """)
    void whatItGivesIsLookedAt(String result, String words) throws IOException {
        TinyModels.writeTorchscript(temp, "rotary", "mean");
        Path file = temp.resolve("model.torchscript");
        Files.write(file, with(Files.readAllBytes(file), result));
        Path rows = Files.writeString(temp.resolve("rows.jsonl"), """
                {"anchor": "a", "positive": "a b c d"}
                {"anchor": "c", "positive": "c d"}
                """);
        Cli.Ended ended = new Posbias(temp, Map.of())
                .run(
                        "train --set batch=2 --set epochs=1 --data",
                        rows,
                        "--model",
                        temp.resolve("tiny.yaml"),
                        "--out",
                        temp.resolve("m"));
        OtherWeightsTest.refused(ended, words);
        assertThat(ended.err()).doesNotContain("bug");
    }

    /** The archive with another last line of its program; PyTorch reads entries that are stored, not compressed. */
    private static byte[] with(byte[] archive, String result) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(archive));
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                byte[] content = in.readAllBytes();
                if (entry.getName().equals(CODE)) {
                    content = changed(new String(content, StandardCharsets.UTF_8), result);
                }
                ZipEntry stored = new ZipEntry(entry.getName());
                stored.setMethod(ZipEntry.STORED);
                stored.setSize(content.length);
                CRC32 sum = new CRC32();
                sum.update(content);
                stored.setCrc(sum.getValue());
                out.putNextEntry(stored);
                out.write(content);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] changed(String code, String result) {
        String type = result.equals("return 5") ? "int" : result.startsWith("return (") ? "Tuple[Tensor, Tensor]" : "Tensor";
        assertThat(code).contains(RESULT);
        return code.replace(RESULT, result)
                .replaceFirst("Tensor\\) -> Tensor", "Tensor) -> " + type)
                .getBytes(StandardCharsets.UTF_8);
    }
}
