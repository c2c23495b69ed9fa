package io.posbias.data.convert;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.data.input.UnpackLimit;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Unpacks {@code .zip} and {@code .tar.gz} archives of published benchmarks. */
final class Archives {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int TYPE_AT = 156;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_LENGTH = 155;
    private static final int OCTAL = 8;

    private Archives() {}

    static boolean isArchive(Path file) {
        return file.toString().endsWith(".zip") || isTar(file);
    }

    private static boolean isTar(Path file) {
        return file.toString().endsWith(".tar.gz") || file.toString().endsWith(".tgz");
    }

    /**
     * Unpacks all files.
     *
     * @throws BadInputException if an entry escapes the folder, or the content exceeds the {@link UnpackLimit}
     * @throws PosbiasException if the archive is corrupt
     */
    static void unpack(Path archive, Path folder) {
        Pointers.refuse(archive);
        try {
            UnpackLimit limit = new UnpackLimit(archive, "folder");
            if (isTar(archive)) {
                untar(archive, folder, limit);
            } else {
                unzip(archive, folder, limit);
            }
        } catch (ZipException | EOFException corrupt) {
            String kind = isTar(archive) ? "tar.gz" : "zip";
            throw new PosbiasException(
                    "cannot read " + archive + ": the " + kind + " file is corrupt (" + corrupt.getMessage()
                            + "); fetch it again",
                    corrupt);
        } catch (IOException unreadable) {
            throw IoErrors.refused("unpack", archive, unreadable);
        }
    }

    /**
     * Lists all files of files, folders and archives.
     *
     * @param scratch folder for unpacked archives
     */
    static List<Path> files(List<Path> given, Path scratch) {
        List<Path> files = new ArrayList<>();
        for (Path file : given) {
            Path folder = file;
            if (isArchive(file)) {
                folder = scratch.resolve(String.valueOf(file.getFileName()));
                unpack(file, folder);
            }
            Path root = folder;
            files.addAll(IoErrors.call("read", root, () -> FileNames.visible(root, Integer.MAX_VALUE)));
        }
        return files;
    }

    private static void unzip(Path archive, Path folder, UnpackLimit limit) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                Path target = target(archive, folder, entry.getName());
                if (entry.isDirectory()) {
                    continue;
                }
                Files.createDirectories(target.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    copy(in, target, Long.MAX_VALUE, limit);
                }
            }
        }
    }

    /**
     * POSIX ustar: a header of one block, then the content in whole blocks; links and extended headers are skipped.
     */
    private static void untar(Path archive, Path folder, UnpackLimit limit) throws IOException {
        try (InputStream raw = Files.newInputStream(archive);
                InputStream in = new BufferedInputStream(new GZIPInputStream(raw, 1 << 16))) {
            for (byte[] header = block(in); header[0] != 0; header = block(in)) {
                long size = Long.parseLong(text(header, SIZE_AT, SIZE_LENGTH).strip(), OCTAL);
                String prefix = text(header, PREFIX_AT, PREFIX_LENGTH);
                String name = text(header, 0, NAME_LENGTH);
                Path target = target(archive, folder, prefix.isEmpty() ? name : prefix + "/" + name);
                if (header[TYPE_AT] == '0' || header[TYPE_AT] == 0) {
                    Files.createDirectories(target.getParent());
                    copy(in, target, size, limit);
                } else {
                    in.skipNBytes(size);
                }
                in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            }
        } catch (NumberFormatException noTar) {
            throw new ZipException("a header is not ustar's");
        }
    }

    private static byte[] block(InputStream in) throws IOException {
        byte[] block = in.readNBytes(BLOCK);
        if (block.length < BLOCK) {
            throw new EOFException("it is cut off");
        }
        return block;
    }

    private static void copy(InputStream in, Path target, long size, UnpackLimit limit) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (var out = Files.newOutputStream(target)) {
            for (long left = size; left > 0; ) {
                int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0 && size == Long.MAX_VALUE) {
                    return;
                }
                if (read < 0) {
                    throw new EOFException("it is cut off");
                }
                limit.take(read);
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }

    private static Path target(Path archive, Path folder, String name) {
        // Folders end with a slash, and tar writes "./" before names.
        String tail = name.startsWith("./") ? name.substring(2) : name;
        String plain = tail.endsWith("/") ? tail.substring(0, tail.length() - 1) : tail;
        if (name.equals("./")) {
            return folder;
        }
        if (!FileNames.staysInside(plain)) {
            throw new BadInputException(
                    Location.of(archive),
                    "entry " + Printable.quoted(name) + " climbs out of the archive's folder",
                    "do not trust this file; nothing was unpacked");
        }
        return FileNames.inside(folder, plain);
    }
}
