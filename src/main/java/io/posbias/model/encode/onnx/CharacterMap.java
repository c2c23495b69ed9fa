package io.posbias.model.encode.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;

/**
 * Precompiled character map of SentencePiece: a double array from bytes to places in a text of replacements, each up to a
 * byte 0. Hugging Face's library looks up bytes without a check of bounds, and
 * ends its process at replacements that are not UTF-8.
 *
 * @param units double array
 * @param replacements in UTF-8
 * @see <a href="https://github.com/huggingface/spm_precompiled">spm_precompiled</a>
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record CharacterMap(int[] units, byte[] replacements) {
    private static final int LONGEST = 256;

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
            CharacterMap map = new CharacterMap(
                    units, Arrays.copyOfRange(bytes.array(), bytes.position() + size, bytes.capacity()));
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(map.replacements));
            return IntStream.range(0, units.length).allMatch(map::isSound);
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            return false;
        }
    }

    /** Checks a unit: a leaf has a replacement, others lead to a block of 256 units, and to a leaf if they have one. */
    private boolean isSound(int at) {
        int unit = units[at];
        if (unit < 0) {
            return isReplacement(unit & Integer.MAX_VALUE);
        }
        int offset = unit >>> 10 << ((unit & 1 << 9) >>> 6);
        int next = at ^ offset;
        boolean hasLeaf = (unit & 1 << 8) != 0;
        return (next | 0xFF) < units.length && (!hasLeaf || units[next] < 0);
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
}
