package io.posbias.encode.cache;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says that a process uses a folder of vectors, so that another does not delete it meanwhile: a shared lock on a file in
 * it, which the operating system gives back when the process dies. Where no lock can be had, in a folder that may only be
 * read or on some network file systems, the folder is used without one.
 */
public final class FolderUse implements Closeable {
    private static final String FILE = ".use";

    /** One lock of a file is all that a process may hold, however many caches it opens. */
    private static final Map<Path, FolderUse> HELD = new HashMap<>();

    private final Path folder;
    private final @Nullable FileChannel channel;
    private int users = 1;

    private FolderUse(Path folder, @Nullable FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Uses a folder until this is closed; waits while it is being deleted, and makes it if it is not there. */
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

    private static @Nullable FileChannel lock(Path folder) throws IOException {
        while (true) {
            Files.createDirectories(folder);
            FileChannel channel = null;
            try {
                channel = open(folder);
                channel.lock(0, Long.MAX_VALUE, true);
                if (Files.exists(folder.resolve(FILE))) {
                    return channel;
                }
                // Deleted while this waited: again, with a new file.
                channel.close();
            } catch (IOException withoutLocks) {
                if (channel != null) {
                    channel.close();
                }
                if (Files.isDirectory(folder)) {
                    return null;
                }
            }
        }
    }

    private static FileChannel open(Path folder) throws IOException {
        return FileChannel.open(
                folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Does something to a folder that nobody uses, and lets nobody in meanwhile. */
    static boolean ifFree(Path folder, Runnable work) {
        synchronized (HELD) {
            if (HELD.containsKey(folder.toAbsolutePath().normalize())) {
                return false;
            }
            try (FileChannel channel = open(folder)) {
                FileLock lock = channel.tryLock();
                if (lock == null) {
                    return false;
                }
                work.run();
                return true;
            } catch (IOException refused) {
                throw new PosbiasException(Problems.describe("delete", folder, refused), refused);
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
            if (channel != null) {
                channel.close();
            }
        }
    }
}
