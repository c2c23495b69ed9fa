package io.posbias.model.encode.cache;

import io.posbias.base.files.Checksums;
import io.posbias.model.encode.Role;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Cache key of a text or pair: the first 128 bits of a SHA-256. Two of a billion texts collide with a probability
 * below 10^-20.
 */
record Key(long high, long low) {
    static Key of(Role role, String text) {
        MessageDigest digest = Checksums.digest("SHA-256");
        digest.update((byte) (role == Role.QUERY ? 'q' : 'p'));
        return first(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    static Key of(Key query, Key passage) {
        ByteBuffer both = ByteBuffer.allocate(4 * Long.BYTES);
        both.putLong(query.high).putLong(query.low).putLong(passage.high).putLong(passage.low);
        return first(Checksums.digest("SHA-256").digest(both.array()));
    }

    private static Key first(byte[] digest) {
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        return new Key(bytes.getLong(), bytes.getLong());
    }
}
