package io.posbias.model.encode.check;

import java.util.List;

/** Eight plain texts of 2 to 97 words, no two of a length. */
final class CheckTexts {
    static final List<String> ALL = List.of(
            "Blue whales",
            "Where does the river begin?",
            "The museum opens at nine and closes before dark.",
            "In 1889 the old bridge was taken down; a ferry carried people over the water for eleven years.",
            "Bread rises because yeast turns sugar into gas. Warm dough rises faster, cold dough tastes better, and"
                    + " bakers who have the time leave it in the cellar over night.",
            "The northern lights appear when particles from the sun meet the upper air. Oxygen glows green or red,"
                    + " nitrogen blue or violet. They are seen most often in the weeks around the equinoxes, on clear"
                    + " nights far from any town, and a camera shows more colour than the eye does.",
            "A lighthouse keeper had to trim the wick, wind the clockwork and polish the lens. Storms could cut the"
                    + " island off for weeks, so flour, oil and letters came in autumn and had to last. When electric"
                    + " lamps arrived the clockwork stayed for some years, in case the cable broke; then the keepers"
                    + " left, one after another, and the towers were run from a desk in the harbour.",
            "Tea came to Europe by sea in the seventeenth century, and it was dear. Merchants sold it as a medicine"
                    + " first, later as a fashion. Taxes on it were so high that more was smuggled than landed, until"
                    + " the duty was cut to an eighth and the smugglers went back to brandy. By then a worker's"
                    + " family spent a tenth of its bread money on tea and sugar. Gardens were planted in the hills"
                    + " of Assam, and within one life time the leaves that had come from Canton alone were grown,"
                    + " rolled and packed on two continents.");

    static final String QUERY = "What makes bread rise?";

    /** Index of the text that answers the query. */
    static final int ANSWER = 4;

    /** Failure of a tokenizer that gives all texts the same tokens. */
    static final String ONE_TOKEN = "tokenizer: eight plain texts become the same token over and over";

    private CheckTexts() {}
}
