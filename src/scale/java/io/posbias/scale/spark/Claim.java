package io.posbias.scale.spark;

import io.posbias.LockFile;
import io.posbias.PosbiasException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * That one driver alone uses a remote folder: a file with its name and a number that grows. Whoever finds such a file waits whether
 * the number grows; no clocks are compared. Where a file system lets two make one file at once, the later one has it.
 */
final class Claim {
    private static final String FILE = "driver";

    /** Beats that a driver may miss. */
    private static final int PATIENCE = 4;

    private final RemoteFolder remote;
    private final String name = LockFile.random();
    private long beats;

    private Claim(RemoteFolder remote) {
        this.remote = remote;
    }

    /**
     * Claims a folder.
     *
     * @param beat how long a driver takes from one number to the next
     * @throws PosbiasException if another uses it
     */
    static Claim of(RemoteFolder remote, Duration beat) throws IOException, InterruptedException {
        Claim claim = new Claim(remote);
        if (remote.make(FILE, claim.mark())) {
            return claim;
        }
        String before = claim.read();
        for (int i = 0; i < PATIENCE; i++) {
            Thread.sleep(beat);
            String now = claim.read();
            if (!now.equals(before)) {
                throw new PosbiasException("another posbias uses " + remote + " at this moment: its file '" + FILE
                        + "' changes; wait for its end, or choose another folder");
            }
        }
        remote.overwrite(FILE, claim.mark());
        Thread.sleep(beat);
        claim.check();
        return claim;
    }

    private byte[] mark() {
        return (name + " " + beats).getBytes(StandardCharsets.UTF_8);
    }

    private String read() throws IOException {
        try {
            return new String(remote.read(FILE), StandardCharsets.UTF_8);
        } catch (FileNotFoundException gone) {
            return "";
        }
    }

    /**
     * Whether this driver still has the folder.
     *
     * @throws PosbiasException if another has it
     */
    synchronized void check() throws IOException {
        if (!read().startsWith(name)) {
            throw new PosbiasException("another posbias has taken " + remote + " over: nothing more is copied there");
        }
    }

    /** Shows that this driver is alive. */
    synchronized void beat() throws IOException {
        check();
        beats++;
        remote.overwrite(FILE, mark());
    }

    /** Gives the folder back. */
    synchronized void release() throws IOException {
        check();
        remote.delete(FILE);
    }
}
