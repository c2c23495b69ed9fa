package io.posbias.data.dataset;

import io.posbias.base.text.Printable;
import java.math.BigDecimal;
import java.text.Normalizer;
import java.util.Collection;
import java.util.regex.Pattern;

/** Explains why an identifier is not found although a reader sees it. */
public final class IdHint {
    private static final Pattern QUOTES = Pattern.compile("^([\"'])(.*)\\1$");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?");

    private IdHint() {}

    /**
     * Returns how a known identifier differs, as a remedy; otherwise the usual one.
     *
     * @param known identifiers of the other file
     */
    public static String of(String id, Collection<String> known, String usual) {
        String composed = normalised(id);
        String bare = bare(id);
        for (String other : known) {
            if (normalised(other).equals(composed)) {
                return "it holds an identifier that is equal after Unicode normalisation (NFC): normalise both files";
            }
            if (NUMBER.matcher(id).matches()
                    && NUMBER.matcher(other).matches()
                    && new BigDecimal(id).compareTo(new BigDecimal(other)) == 0) {
                return "it holds " + Printable.quoted(other)
                        + ", the same number: a tool wrote identifiers as numbers, in"
                        + " scientific notation, with .0 or without zeros; write them as texts (R: as.character or"
                        + " options(scipen = 999) before the export; pandas: dtype=str)";
            }
            if (bare(other).equals(bare)) {
                return "it holds " + Printable.quoted(other) + ": a CSV writer put quotes around one of them; write the"
                        + " file without quoting";
            }
        }
        return usual;
    }

    private static String normalised(String id) {
        return Normalizer.normalize(id, Normalizer.Form.NFC);
    }

    private static String bare(String id) {
        return QUOTES.matcher(id).replaceFirst("$2");
    }
}
