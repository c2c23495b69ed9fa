package io.posbias.model.encode.onnx;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.onnx.TokenizerLibrary.Encoded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Tokenizer of Hugging Face's library, read from tokenizer.json. Its own truncation and padding are switched off, so
 * that posbias can measure truncation. Safe for several threads.
 *
 * <p>The library ends its process if a pattern takes too many steps or a part is malformed. A file with parts that are
 * not {@linkplain TestedTokenizers tested}, and a very long text, is tokenised in a child process.
 */
public final class Tokenizer implements AutoCloseable {
    /** Longer texts go to a child process: tested patterns take too many steps for ten million spaces. */
    static final int LONGEST_TESTED = 1_000_000;

    private final String name;
    private final byte[] json;
    private final TokenizerLibrary library;
    private final Session session;
    private @Nullable TokenizerLibrary forLongTexts;
    private @Nullable JsonNode outline;
    private @Nullable Map<String, Integer> vocabulary;
    private @Nullable Map<Integer, String> pieces;
    private @Nullable Integer padId;

    private Tokenizer(String name, byte[] json, TokenizerLibrary library, Session session) {
        this.name = name;
        this.json = json;
        this.library = library;
        this.session = session;
    }

    /**
     * @param name in errors
     * @param json content of tokenizer.json
     */
    public static Tokenizer read(String name, byte[] json, Session session) {
        try {
            return new Tokenizer(
                    name,
                    json,
                    TestedTokenizers.contain(json)
                            ? NativeTokenizer.read(json, session)
                            : TokenizerProcess.read(json, session),
                    session);
        } catch (IOException | RuntimeException refused) {
            IoErrors.causes(refused).filter(LinkageError.class::isInstance).forEach(error -> {
                throw (LinkageError) error;
            });
            throw new PosbiasException("cannot read the tokenizer " + name + ": " + refused.getMessage(), refused);
        }
    }

    /** Runs the library, which fails if the vocabulary has neither a piece nor an unknown token. */
    private Encoded encode(String text, @Nullable String second, boolean special) {
        try {
            return library(text.length()).encode(text, second, special);
        } catch (IOException | RuntimeException refused) {
            throw new PosbiasException(
                    "the tokenizer " + name + " cannot cut a text of " + text.length() + " characters into tokens: "
                            + refused.getMessage() + "; is its tokenizer.json the model's own?",
                    refused);
        }
    }

    private TokenizerLibrary library(int length) throws IOException {
        return length <= LONGEST_TESTED || isIsolated() ? library : forLongTexts();
    }

    private synchronized TokenizerLibrary forLongTexts() throws IOException {
        TokenizerLibrary known = forLongTexts;
        if (known == null) {
            known = TokenizerProcess.read(json, session);
            forLongTexts = known;
        }
        return known;
    }

    /** Returns true if texts are tokenised in a child process. */
    boolean isIsolated() {
        return library instanceof TokenizerProcess;
    }

    public String sha256() {
        return Checksums.sha256(json);
    }

    /** Returns the tokens without special ones. */
    public Tokens tokenize(String text) {
        if (text.isEmpty()) {
            return new Tokens(new int[0], new int[0], new int[0]);
        }
        Encoded encoding = encode(text, null, false);
        int[] ids = encoding.ids();
        int[] starts = new int[ids.length];
        int[] ends = new int[ids.length];
        Offsets offsets = new Offsets(text);
        for (int i = 0; i < ids.length; i++) {
            boolean isInText = encoding.starts()[i] >= 0;
            starts[i] = isInText ? offsets.utf16(encoding.starts()[i]) : i == 0 ? 0 : ends[i - 1];
            ends[i] = isInText ? offsets.utf16(encoding.ends()[i]) : starts[i];
        }
        return new Tokens(ids, starts, ends);
    }

    /** Converts the library's code points to UTF-16 units; a single pass for ascending positions. */
    private static final class Offsets {
        private final String text;
        private final boolean same;
        private int point;
        private int unit;

        Offsets(String text) {
            this.text = text;
            this.same = text.codePointCount(0, text.length()) == text.length();
        }

        int utf16(int position) {
            if (same) {
                return Math.min(position, text.length());
            }
            if (position < point) {
                point = 0;
                unit = 0;
            }
            while (point < position && unit < text.length()) {
                unit += Character.charCount(text.codePointAt(unit));
                point++;
            }
            return unit;
        }
    }

    public Template single() {
        Encoded encoding = encode("a", null, true);
        int[] special = encoding.special();
        int before = run(special, 0, 1);
        int text = run(special, before, 0);
        return template(encoding, before, text, text, text);
    }

    /** Returns the template of two texts. */
    public Template pair() {
        Encoded encoding = encode("a", "a", true);
        int[] special = encoding.special();
        int letters = tokenize("a").size();
        int before = run(special, 0, 1);
        int between = run(special, before + letters, 1);
        return template(encoding, before, before + letters, between, between + letters);
    }

    /**
     * Returns the template of an encoding.
     *
     * @param first end of the first text
     * @param between start of the second text
     * @param second end of the second text
     */
    private static Template template(Encoded encoding, int before, int first, int between, int second) {
        int[] ids = encoding.ids();
        int[] types = encoding.types();
        boolean two = second > between;
        return new Template(
                Arrays.copyOf(ids, before),
                Arrays.copyOfRange(ids, first, between),
                Arrays.copyOfRange(ids, second, ids.length),
                new int[] {
                    type(types, 0),
                    type(types, before),
                    two ? type(types, first) : 0,
                    two ? type(types, between) : 0,
                    type(types, ids.length - 1)
                });
    }

    /** Returns the end of the run of equal values that begins at {@code from}. */
    private static int run(int[] values, int from, int value) {
        int end = from;
        while (end < values.length && values[end] == value) {
            end++;
        }
        return end;
    }

    private static int type(int[] types, int at) {
        return at < types.length && at >= 0 ? types[at] : 0;
    }

    /**
     * Returns the id of a token in the vocabulary.
     *
     * @throws PosbiasException if it is not in the vocabulary
     */
    public int id(String token) {
        return find(token)
                .orElseThrow(() ->
                        new PosbiasException("the tokenizer " + name + " has no token " + Printable.quoted(token)));
    }

    public Optional<Integer> find(String token) {
        return Optional.ofNullable(vocabulary().get(token));
    }

    /** Returns the token of an id; the number itself if it is not in the vocabulary. */
    public synchronized String piece(int id) {
        Map<Integer, String> known = pieces;
        if (known == null) {
            Map<Integer, String> read = new HashMap<>();
            vocabulary().forEach((piece, own) -> read.put(own, piece));
            known = read;
            pieces = read;
        }
        return known.getOrDefault(id, String.valueOf(id));
    }

    /** Returns the file's padding token, else a known padding token of the vocabulary, else 0. */
    public synchronized int padId() {
        Integer known = padId;
        if (known == null) {
            // Cached: it is read from the file, and every batch needs it.
            JsonNode given = outline().path("padding").path("pad_id");
            known = given.isInt()
                    ? given.asInt()
                    : find("[PAD]")
                            .or(() -> find("<pad>"))
                            .or(() -> find("<|endoftext|>"))
                            .orElse(0);
            padId = known;
        }
        return known;
    }

    /** Returns the id of the token for unknown pieces, as the file names it. */
    public Optional<Integer> unknownId() {
        JsonNode model = outline().path("model");
        JsonNode id = model.path("unk_id");
        return id.isInt()
                ? Optional.of(id.asInt())
                : find(model.path("unk_token").asString(""));
    }

    /** Returns the tokens to which the file truncates texts, special ones included; empty for all. */
    public Optional<Integer> truncation() {
        JsonNode most = outline().path("truncation").path("max_length");
        return most.isInt() ? Optional.of(most.asInt()) : Optional.empty();
    }

    /** Returns the median number of characters of the vocabulary's tokens, as code points, rounded down. */
    public int medianLength() {
        int[] lengths = vocabulary().keySet().stream()
                .mapToInt(token -> token.codePointCount(0, token.length()))
                .sorted()
                .toArray();
        int middle = lengths.length / 2;
        return lengths.length % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
    }

    private synchronized Map<String, Integer> vocabulary() {
        Map<String, Integer> known = vocabulary;
        if (known != null) {
            return known;
        }
        Map<String, Integer> read = readable(() -> TokenizerJson.vocabulary(json, this::id));
        for (JsonNode added : outline().path("added_tokens")) {
            String token = added.path("content").asString("");
            read.put(token, id(token, added.path("id")));
        }
        vocabulary = read;
        return read;
    }

    private int id(String token, JsonNode id) {
        if (!id.isInt()) {
            throw new PosbiasException("the tokenizer " + name + " has the token " + Printable.quoted(token)
                    + " with the id " + Printable.cut(id.toString()) + ": it must be a whole number below 2^31");
        }
        return id.asInt();
    }

    private synchronized JsonNode outline() {
        JsonNode known = outline;
        if (known == null) {
            known = readable(() -> TokenizerJson.outline(json));
            outline = known;
        }
        return known;
    }

    private <T> T readable(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", Path.of(name), broken);
        }
    }

    @Override
    public synchronized void close() {
        library.close();
        if (forLongTexts != null) {
            forLongTexts.close();
        }
    }
}
