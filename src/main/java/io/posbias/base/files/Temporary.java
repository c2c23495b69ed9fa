package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Place of this user's temporary folders: {@code posbias-USER} below Java's, readable by the user only. */
public final class Temporary {
    private static final Set<PosixFilePermission> PRIVATE = Set.copyOf(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> ONLY_USER =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    /** The user's number if available, since a container may have no user names; else the name. */
    private static final String USER = uid(Path.of("/proc/self/stat"))
            .orElseGet(() -> System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_"));

    private Temporary() {}

    /** Error about the temporary folder, with advice on java.io.tmpdir. */
    public static PosbiasException refused(IOException problem) {
        return new PosbiasException(
                IoErrors.describe("write", base(), problem)
                        + "; POSBIAS_JAVA_OPTS=-Djava.io.tmpdir=DIR sets another temporary folder",
                problem);
    }

    /** True for posbias's temporary files. */
    public static boolean holds(Path file) {
        return file.startsWith(base());
    }

    static boolean exists() {
        return Files.isDirectory(base(), LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates the folder if it is missing; refuses one that another user created, where links could be planted. */
    static Path prepared() throws IOException {
        Path base = base();
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        if (!Files.exists(base, LinkOption.NOFOLLOW_LINKS)) {
            create(base, posix);
        }
        if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(base.toString(), null, "it is not a folder");
        }
        if (USER.matches("\\d+") && !uid(base).equals(Optional.of(USER))) {
            throw new FileSystemException(base.toString(), null, "it belongs to another user");
        }
        if (posix
                && !Files.getPosixFilePermissions(base, LinkOption.NOFOLLOW_LINKS)
                        .equals(PRIVATE)) {
            Files.setPosixFilePermissions(base, PRIVATE);
        }
        return base;
    }

    private static void create(Path base, boolean posix) throws IOException {
        try {
            Files.createDirectory(base, posix ? new FileAttribute<?>[] {ONLY_USER} : new FileAttribute<?>[0]);
        } catch (FileAlreadyExistsException meanwhile) {
            // By another process.
        }
    }

    private static Path base() {
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve("posbias-" + USER);
    }

    private static Optional<String> uid(Path file) {
        try {
            return Optional.of(String.valueOf(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }
}
