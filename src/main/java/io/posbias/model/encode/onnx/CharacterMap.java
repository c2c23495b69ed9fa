package io.posbias.model.encode.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Deque;

/**
 * Precompiled character map of SentencePiece: a double array from bytes to places in a text of replacements, each up to a
 * byte 0. Hugging Face's library looks up bytes without a check of bounds.
 *
 * @see <a href="https://github.com/huggingface/spm_precompiled">spm_precompiled</a>
 */
final class CharacterMap {
    private static final int LONGEST = 256;

    private final int[] units;
    private final byte[] replacements;

    private CharacterMap(int[] units, byte[] replacements) {
        this.units = units;
        this.replacements = replacements;
    }

    /** Returns true if no sequence of bytes leads out of a map. */
    static boolean isSound(String base64) {
        try {
            ByteBuffer bytes =
                    ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
            int size = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt();
            if (size < Integer.BYTES || size % Integer.BYTES != 0 || size > bytes.remaining()) {
                return false;
            }
            int[] units = new int[size / Integer.BYTES];
            bytes.asIntBuffer().get(units);
            byte[] replacements = Arrays.copyOfRange(bytes.array(), bytes.position() + size, bytes.capacity());
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(replacements));
            return new CharacterMap(units, replacements).isSound();
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            return false;
        }
    }

    /** Visits all nodes that some bytes lead to. */
    private boolean isSound() {
        BitSet seen = new BitSet();
        Deque<Integer> left = new ArrayDeque<>();
        left.add(offset(units[0]));
        while (!left.isEmpty()) {
            int node = left.remove();
            for (int label = 1; label < 1 << Byte.SIZE; label++) {
                int child = node ^ label;
                if (child < 0 || child >= units.length) {
                    return false;
                }
                if (label(units[child]) == label) {
                    int next = child ^ offset(units[child]);
                    if (hasLeaf(units[child])
                            && !(next >= 0 && next < units.length && isReplacement(value(units[next])))) {
                        return false;
                    }
                    if (next < 0 || next >= units.length) {
                        return false;
                    }
                    if (!seen.get(next)) {
                        seen.set(next);
                        left.add(next);
                    }
                }
            }
        }
        return true;
    }

    private boolean isReplacement(int start) {
        if (start >= replacements.length) {
            return start == replacements.length;
        }
        int end = start;
        while (end < replacements.length && replacements[end] != 0) {
            end++;
        }
        boolean isInside = (replacements[start] & 0xC0) == 0x80;
        return !isInside && end - start <= LONGEST;
    }

    private static boolean hasLeaf(int unit) {
        return (unit >>> 8 & 1) == 1;
    }

    private static int value(int unit) {
        return unit & Integer.MAX_VALUE;
    }

    private static int label(int unit) {
        return unit & (Integer.MIN_VALUE | 0xFF);
    }

    private static int offset(int unit) {
        return unit >>> 10 << ((unit & 1 << 9) >>> 6);
    }
}
