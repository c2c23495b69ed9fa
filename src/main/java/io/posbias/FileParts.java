package io.posbias;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Parts of open files, read whole: a channel may give fewer bytes at once than it is asked for. */
public final class FileParts {
    private FileParts() {}

    /**
     * Reads a part; does not move the channel's position, so several threads may.
     *
     * @param offset of its first byte
     * @param length in bytes
     * @throws EOFException if the file ends before the part does, in words for {@link IoErrors#describe}
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
