package io.posbias.base.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Digests in lower-case hexadecimal. */
public final class Checksums {
    private static final int SHA_256_LENGTH = 64;

    /** Coarsest resolution of a file system's times: FAT's. */
    private static final Duration CLOCK = Duration.ofSeconds(2);

    /** Digests of files from this size on are cached, where there are several. */
    private static final long LARGE = 256L << 20;

    private Checksums() {}

    public static String sha256(Path file) {
        return IoErrors.call("read", file, () -> of(file, digest("SHA-256")));
    }

    /** Returns the digest of a file, continuing a digest of earlier bytes. */
    public static String of(Path file, MessageDigest digest) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 18];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Returns the SHA-256 of a file, cached under {@code home}: hashing many gigabytes of weights takes a minute. A
     * cached digest is used while inode, size, time of modification and time of change of the file stay the same. The
     * time of change is set by the operating system alone, so a file replaced at equal size and modification time is
     * hashed again. On Windows, which has neither inodes nor this time, size and modification time must differ.
     */
    public static String remembered(Path file, Path home) throws IOException {
        return remembered(file, home, Instant.now());
    }

    static String remembered(Path file, Path home, Instant now) throws IOException {
        Path real = file.toRealPath();
        String state = state(real);
        Path memo = home.resolve("digests").resolve(sha256(real.toString().getBytes(StandardCharsets.UTF_8)));
        if (Files.isRegularFile(memo)) {
            String known = Files.readString(memo);
            if (known.startsWith(state) && known.length() == state.length() + SHA_256_LENGTH) {
                return known.substring(state.length());
            }
        }
        String digest = of(real, digest("SHA-256"));
        // Within the resolution of the file system's clock, a later change leaves the same times.
        boolean settled = changed(real).isBefore(now.minus(CLOCK));
        if (settled && state.equals(state(real))) {
            remember(memo, state + digest);
        }
        return digest;
    }

    /**
     * Returns the SHA-256 of a file, or those of the files in a folder and below it, each after its path. Those of large
     * files are {@linkplain #remembered cached}.
     */
    public static List<String> entries(Path fileOrFolder, Path home) {
        return IoErrors.call("read", fileOrFolder, () -> {
            List<String> entries = new ArrayList<>();
            for (Path file : FileNames.below(fileOrFolder)) {
                String digest = Files.size(file) < LARGE ? sha256(file) : remembered(file, home);
                entries.add(file.equals(fileOrFolder) ? digest : fileOrFolder.relativize(file) + " " + digest);
            }
            return entries;
        });
    }

    /** Returns the {@link #entries} of the jar or folder that a class comes from; none for a class of posbias. */
    public static List<String> ofPlugin(Class<?> type, Path home) {
        Path place = FileNames.holding(type);
        return place.equals(FileNames.holding(Checksums.class)) ? List.of() : entries(place, home);
    }

    private static boolean hasInodes(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static String state(Path file) throws IOException {
        String wanted = hasInodes(file) ? "unix:size,lastModifiedTime,ino,ctime" : "size,lastModifiedTime";
        return file + "\n" + new TreeMap<>(Files.readAttributes(file, wanted)) + "\n";
    }

    private static Instant changed(Path file) throws IOException {
        return hasInodes(file)
                ? ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant()
                : Files.getLastModifiedTime(file).toInstant();
    }

    /** Writes a file that saves work; not being able to costs time, nothing else. */
    public static void remember(Path memo, String text) {
        try {
            Files.createDirectories(memo.getParent());
            Staging.replace(memo, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException readOnly) {
            // The next run computes it again.
        }
    }

    public static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest("SHA-256").digest(bytes));
    }

    /** SHA-256 of length-prefixed texts, so that no two lists of texts have equal bytes. */
    public static String sha256(Stream<String> texts) {
        MessageDigest digest = digest("SHA-256");
        texts.forEachOrdered(text -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    public static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
