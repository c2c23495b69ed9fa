package io.posbias.probe.rag;

import io.posbias.probe.Spaces;
import java.util.Locale;
import java.util.regex.Pattern;

/** What becomes of an answer. */
public enum RagVerdict {
    /** The judge's reply begins with YES. */
    CORRECT,
    /** It begins with the word NO. */
    WRONG,
    /** It begins with YES, but what was judged says that the document does not provide the answer: wrong. */
    ABSTAINED,
    /** It begins with neither: wrong. */
    UNCLEAR,
    /** There was nothing to judge, and nobody was asked: wrong. */
    EMPTY;

    /** The words with which readers abstain; the notebooks count no such answer as right, whatever the judge says. */
    private static final String ABSTAINS = "document does not provide";

    private static final Pattern NO = Pattern.compile("NO\\b.*", Pattern.DOTALL);

    /**
     * What a judge's reply means.
     *
     * @param prompt what the judge was asked, with question, evidence and answer
     */
    static RagVerdict of(String prompt, String reply) {
        String judged = Spaces.strip(reply).toUpperCase(Locale.ROOT);
        if (judged.startsWith("YES")) {
            return prompt.contains(ABSTAINS) ? ABSTAINED : CORRECT;
        }
        return NO.matcher(judged).matches() ? WRONG : UNCLEAR;
    }

    /** For files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
