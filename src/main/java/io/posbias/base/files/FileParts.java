package io.posbias.base.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads parts of open files completely: a channel may return fewer bytes than requested. */
public final class FileParts {
    private FileParts() {}

    /**
     * Reads bytes without moving the channel's position; safe for several threads.
     *
     * @throws EOFException if the file ends early, worded for {@link IoErrors#describe}
     */
    public static byte[] read(FileChannel file, long offset, int length) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(length);
        while (part.hasRemaining()) {
            if (file.read(part, offset + part.position()) < 0) {
                throw new EOFException("it is shorter than it was");
            }
        }
        return part.array();
    }
}
