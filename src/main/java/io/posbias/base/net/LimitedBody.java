package io.posbias.base.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/** A reply's body that ends with an error when it is longer, slower or takes more time than its limits allow. */
final class LimitedBody extends FilterInputStream {
    private final Limits limits;
    private final long start;
    private final TimerTask watch;
    private long left;
    private volatile long lastRead;
    private volatile @Nullable String late;

    /**
     * @param start when the request was sent, by {@link System#nanoTime}
     * @param timer watches the time: closing a body makes a read that waits for it fail
     */
    LimitedBody(InputStream body, Limits limits, long start, Timer timer) {
        super(body);
        this.limits = limits;
        this.start = start;
        this.left = limits.bytes();
        this.lastRead = System.nanoTime();
        this.watch = new TimerTask() {
            @Override
            public void run() {
                look();
            }
        };
        long often =
                Math.max(1, Math.min(limits.silence().toMillis(), limits.total().toMillis()) / 8);
        timer.schedule(watch, often, often);
    }

    private void look() {
        long now = System.nanoTime();
        if (now - lastRead > limits.silence().toNanos()) {
            late = "nothing within " + words(limits.silence());
        } else if (now - start > limits.total().toNanos()) {
            late = "not all of it within " + words(limits.total());
        } else {
            return;
        }
        watch.cancel();
        try {
            in.close();
        } catch (IOException closedAnyway) {
            watch.cancel();
        }
    }

    /** "2 s" or "1500 ms". */
    static String words(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read;
        try {
            read = in.read(bytes, offset, length);
        } catch (IOException broken) {
            throw late == null ? broken : tooLate();
        }
        if (late != null) {
            throw tooLate();
        }
        lastRead = System.nanoTime();
        left -= Math.max(0, read);
        if (left < 0) {
            throw new TooLongException(limits.bytes());
        }
        return read;
    }

    /** Without a cause: that is the closing of the body. */
    private IOException tooLate() {
        return new IOException(late);
    }

    @Override
    public long skip(long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        watch.cancel();
        in.close();
    }
}
