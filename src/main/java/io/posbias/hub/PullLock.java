package io.posbias.hub;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One process at a time pulls into a folder; the operating system gives the lock back when a process dies. */
final class PullLock {
    private PullLock() {}

    /**
     * Does work while holding the lock {@code .NAME.lock} beside a folder, waiting first while another process holds it.
     *
     * @param name what is pulled, for messages
     * @param say takes a line when there is somebody to wait for
     * @throws PosbiasException if this process holds the lock already, or the lock's file cannot be written
     */
    static <T> T holding(Path folder, String name, Consumer<String> say, Supplier<T> work) {
        Path file = folder.resolveSibling("." + folder.getFileName() + ".lock");
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = waitFor(channel, name, say)) {
                if (!lock.isValid()) {
                    throw new IOException("the lock was lost");
                }
                return work.get();
            }
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", folder, refused), refused);
        }
    }

    private static FileLock waitFor(FileChannel channel, String name, Consumer<String> say) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            say.accept("another posbias is pulling " + name + "; waiting for it");
            return channel.lock();
        } catch (OverlappingFileLockException sameProcess) {
            throw new PosbiasException(name + " is being pulled by this process already", sameProcess);
        }
    }
}
