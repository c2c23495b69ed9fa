package io.posbias.base.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/** A reply's body with limits of length and time. Time in which this process was stopped, as by Ctrl-Z, does not count. */
final class LimitedBody extends FilterInputStream {
    private final Limits limits;
    private final TimerTask watch;
    private long left;
    private long total;
    private long silence;
    private volatile boolean heard;
    private volatile @Nullable String late;

    /** @param timer watches the time: closing a body makes a read that waits for it fail */
    LimitedBody(InputStream body, Limits limits, Timer timer) {
        super(body);
        this.limits = limits;
        this.left = limits.bytes();
        long often =
                Math.max(1, Math.min(limits.silence().toMillis(), limits.total().toMillis()) / 8);
        this.watch = new TimerTask() {
            @Override
            public void run() {
                look(often);
            }
        };
        timer.schedule(watch, often, often);
    }

    private void look(long millis) {
        silence = heard ? 0 : silence + millis;
        heard = false;
        total += millis;
        if (silence > limits.silence().toMillis()) {
            late = "nothing within " + Limits.words(limits.silence());
        } else if (total > limits.total().toMillis()) {
            late = "not all of it within " + Limits.words(limits.total());
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
        heard = true;
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
