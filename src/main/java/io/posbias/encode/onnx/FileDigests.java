package io.posbias.encode.onnx;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * SHA-256 of model files. Weights of many gigabytes would take a minute each time, so the digest of a large file is
 * remembered together with its size and time of change.
 */
final class FileDigests {
    private static final long LARGE = 256L << 20;

    private FileDigests() {}

    /** The digest of a file, computed or remembered. */
    static String sha256(Path file, Path home) {
        try {
            if (Files.size(file) < LARGE) {
                return Checksums.sha256(file);
            }
            Path real = file.toRealPath();
            String state = real + "\n" + Files.size(real) + "\n"
                    + Files.getLastModifiedTime(real).toMillis() + "\n";
            Path memo = home.resolve("digests")
                    .resolve(Checksums.sha256(real.toString().getBytes(StandardCharsets.UTF_8)));
            if (Files.isRegularFile(memo)) {
                String known = Files.readString(memo);
                if (known.startsWith(state) && known.length() == state.length() + 64) {
                    return known.substring(state.length());
                }
            }
            String digest = Checksums.sha256(real);
            remember(memo, state + digest);
            return digest;
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", file, unreadable), unreadable);
        }
    }

    /** What cannot be remembered is computed again next time. */
    private static void remember(Path memo, String text) {
        try {
            Files.createDirectories(memo.getParent());
            Staging.replace(memo, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException readOnly) {
            // A home that cannot be written costs time, nothing else.
        }
    }
}
