package io.posbias.dataset.convert;

import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetWriter;
import java.util.List;

/** Brings a benchmark as it was published into BEIR's layout. */
public interface Converter {
    /**
     * Reads the input and writes all passages, queries and judgements.
     *
     * @param out where they go; the caller finishes it with the card that this method returns
     * @return what to say of the benchmark
     */
    DatasetCard convert(DatasetWriter out);

    /** What a careful user wants to know of the conversion, one line each; empty before it. */
    List<String> notes();
}
