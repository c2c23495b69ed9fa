package io.posbias.data.input;

import io.airlift.compress.zstd.ZstdInputStream;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/** Opens UTF-8 text by its first bytes, whatever its name: plain or compressed; other encodings and formats are refused. */
public final class TextInput {
    private static final int BUFFER = 1 << 16;
    /** Memory for xz in KiB: four times what {@code xz -9} needs. */
    private static final int XZ_MEMORY = 1 << 18;

    private static final String VECTORS_ADVICE =
            "posbias encodes texts itself: give a function of texts in Python (posbias.evaluate), or a run of what the vectors"
                    + " find (posbias score --run)";
    private static final Pattern SHAPE = Pattern.compile("'shape': (\\([^)]*\\))");

    private TextInput() {}

    /** A format by its first bytes. */
    private enum Format {
        GZIP("gzip", 0x1F, 0x8B),
        ZSTD("zstd", 0x28, 0xB5, 0x2F, 0xFD),
        XZ("xz", 0xFD, '7', 'z', 'X', 'Z', 0),
        BZIP2("bzip2", 'B', 'Z', 'h'),
        LZ4("is compressed by lz4", "unpack it: lz4 -d FILE", 0x04, 0x22, 0x4D, 0x18),
        PARQUET("is Parquet, not text", "name it .parquet, or write JSON lines", 'P', 'A', 'R', '1'),
        ARROW(
                "is an Arrow file",
                "write Parquet from Python: pandas.read_feather('FILE').to_parquet('rows.parquet')",
                'A',
                'R',
                'R',
                'O',
                'W',
                '1'),
        ARROW_STREAM(
                "is an Arrow file of datasets",
                "write Parquet from Python: datasets.Dataset.from_file('FILE').to_parquet('rows.parquet')",
                0xFF,
                0xFF,
                0xFF,
                0xFF),
        HDF5("is HDF5", "write a table from Python: df.to_parquet('rows.parquet')", 0x89, 'H', 'D', 'F'),
        NUMPY("is an array of numpy", VECTORS_ADVICE, 0x93, 'N', 'U', 'M', 'P', 'Y'),
        PICKLE("is a pickle of Python, which is never read", "write a table: df.to_parquet('rows.parquet')", 0x80),
        R_DATA("is data of R", "write a table: jsonlite::stream_out(df, file('rows.jsonl'))", 'R', 'D', 'X'),
        R_OBJECT("is data of R", "write a table: jsonlite::stream_out(df, file('rows.jsonl'))", 'X', '\n', 0, 0, 0),
        SQLITE(
                "is a database of SQLite",
                "write a table: sqlite3 -json FILE 'SELECT …' > rows.json",
                'S',
                'Q',
                'L',
                'i',
                't',
                'e'),
        PDF("is a PDF", "only documents may be PDF: name it .pdf", '%', 'P', 'D', 'F'),
        ZIP(
                "is a zip archive, as .xlsx, .docx and .npz are",
                "save a table as CSV or Parquet, or unpack it, or build a benchmark of it with 'posbias data build'",
                'P',
                'K',
                3,
                4),
        UTF_32("is UTF-32 text", "convert it: iconv -f UTF-32 -t UTF-8 FILE", 0xFF, 0xFE, 0, 0),
        UTF_16_LE("is UTF-16 text (little endian)", "convert it: iconv -f UTF-16 -t UTF-8 FILE", 0xFF, 0xFE),
        UTF_16_BE("is UTF-16 text (big endian)", "convert it: iconv -f UTF-16 -t UTF-8 FILE", 0xFE, 0xFF);

        private final boolean isPacked;
        private final String refused;
        private final String advice;
        private final String magic;

        Format(String command, int... magic) {
            this(true, "is compressed twice", "unpack it once: " + command + " -d FILE", magic);
        }

        Format(String refused, String advice, int... magic) {
            this(false, refused, advice, magic);
        }

        Format(boolean isPacked, String refused, String advice, int... magic) {
            this.isPacked = isPacked;
            this.refused = refused;
            this.advice = advice;
            this.magic = IntStream.of(magic)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }

        InputStream unpack(InputStream packed) throws IOException {
            return switch (this) {
                case GZIP -> new GZIPInputStream(packed, BUFFER);
                case ZSTD -> new ZstdInputStream(packed);
                case XZ -> new XZInputStream(packed, XZ_MEMORY);
                case BZIP2 -> new BZip2CompressorInputStream(packed, true);
                default -> throw new IllegalStateException(name());
            };
        }

        boolean begins(byte[] first) {
            return new String(first, StandardCharsets.ISO_8859_1).startsWith(magic);
        }

        static @Nullable Format of(byte[] first) {
            return Arrays.stream(values())
                    .filter(format -> format.begins(first))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Text of a compressed file, of limited length; decoders report broken data in many ways, here always as ZipException. */
    private static final class Unpacked extends InputStream {
        private final Format format;
        private final InputStream in;
        private final UnpackLimit limit;

        Unpacked(Format format, InputStream packed, UnpackLimit limit) throws IOException {
            this.format = format;
            this.limit = limit;
            try {
                this.in = format.unpack(packed);
            } catch (IOException | RuntimeException broken) {
                throw broken(broken);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read;
            try {
                read = in.read(bytes, from, length);
            } catch (IOException | RuntimeException broken) {
                throw broken(broken);
            }
            limit.take(Math.max(read, 0));
            return read;
        }

        private IOException broken(Exception why) {
            if (format == Format.GZIP && why instanceof IOException gzip) {
                return gzip;
            }
            ZipException broken = new ZipException(format.name().toLowerCase(Locale.ROOT) + ": " + why.getMessage());
            broken.initCause(why);
            return broken;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /**
     * Opens a file.
     *
     * @throws BadInputException for another format or encoding, with the command that converts it
     */
    public static InputStream open(Path path) throws IOException {
        InputStream in = peekable(Files.newInputStream(path));
        try {
            Format format = Format.of(peek(in));
            if (format == null || !format.isPacked) {
                if (format == null && path.toString().endsWith(".gz") && peek(in).length > 0) {
                    throw new ZipException("Not in GZIP format");
                }
                return text(path, in);
            }
            in = peekable(new Unpacked(format, in, new UnpackLimit(path, "unpacked file")));
            return text(path, in);
        } catch (IOException | RuntimeException refused) {
            in.close();
            throw refused;
        }
    }

    private static InputStream peekable(InputStream in) {
        return new BufferedInputStream(in, BUFFER);
    }

    private static byte[] peek(InputStream in) throws IOException {
        in.mark(Pointers.PEEKED);
        byte[] first = in.readNBytes(Pointers.PEEKED);
        in.reset();
        return first;
    }

    private static InputStream text(Path path, InputStream in) throws IOException {
        byte[] first = peek(in);
        Pointers.refuse(path, first);
        Format format = Format.of(first);
        if (format != null) {
            Matcher shape = SHAPE.matcher(new String(first, StandardCharsets.ISO_8859_1));
            throw new BadInputException(
                    Location.of(path),
                    format.refused + (format == Format.NUMPY && shape.find() ? " of shape " + shape.group(1) : ""),
                    format.advice.replace("FILE", String.valueOf(path.getFileName())));
        }
        // Windows writes UTF-16 without a mark, too: every other byte of its first characters is zero.
        for (int zero : List.of(0, 1)) {
            if (first.length >= 4 && first[zero] == 0 && first[zero + 2] == 0 && first[1 - zero] != 0) {
                String order = zero == 0 ? "BE" : "LE";
                throw new BadInputException(
                        Location.of(path),
                        "is UTF-16 text",
                        "convert it: iconv -f UTF-16" + order + " -t UTF-8 " + path.getFileName());
            }
        }
        return in;
    }
}
