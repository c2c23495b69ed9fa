package io.posbias.cli.common;

import io.posbias.table.TableFormat;
import java.util.Locale;

/** The forms in which most commands print. */
public enum Format {
    TABLE,
    MARKDOWN,
    CSV,
    LATEX,
    JSON;

    /** The same as a form of tables; {@link #JSON} is none. */
    public TableFormat ofTables() {
        return TableFormat.valueOf(name());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
