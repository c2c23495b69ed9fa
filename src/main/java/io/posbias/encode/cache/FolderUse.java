package io.posbias.encode.cache;

import io.posbias.IoErrors;
import io.posbias.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Marks a cache folder as used by this process, by a shared lock on a file in it, so that no other process deletes it.
 * Without locks (read-only folder, file system) the folder is used unlocked.
 */
public final class FolderUse implements Closeable {
    private static final String FILE = ".use";

    /** A process can hold only one lock of a file, however many caches it opens. */
    private static final Map<Path, FolderUse> HELD = new HashMap<>();

    private final Path folder;
    private final @Nullable LockFile lock;
    private int users = 1;

    private FolderUse(Path folder, @Nullable LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Uses a folder until this is closed. Waits while another process deletes it; creates it if missing. */
    public static FolderUse begin(Path folder) throws IOException {
        synchronized (HELD) {
            Path real = folder.toAbsolutePath().normalize();
            FolderUse held = HELD.get(real);
            if (held != null) {
                held.users++;
                return held;
            }
            FolderUse begun = new FolderUse(real, lock(real));
            HELD.put(real, begun);
            return begun;
        }
    }

    private static @Nullable LockFile lock(Path folder) throws IOException {
        try {
            return LockFile.share(folder.resolve(FILE)).orElse(null);
        } catch (IOException withoutLocks) {
            if (Files.isDirectory(folder)) {
                return null;
            }
            throw withoutLocks;
        }
    }

    /** Runs an action on an unused folder and locks it meanwhile. */
    static boolean ifFree(Path folder, Runnable work) {
        synchronized (HELD) {
            Optional<LockFile> free = IoErrors.call("delete", folder, () -> LockFile.tryHold(folder.resolve(FILE)));
            if (free.isEmpty()) {
                return false;
            }
            LockFile lock = free.get();
            try (lock) {
                work.run();
                return true;
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            users--;
            if (users > 0) {
                return;
            }
            HELD.remove(folder);
            if (lock != null) {
                lock.close();
            }
        }
    }
}
