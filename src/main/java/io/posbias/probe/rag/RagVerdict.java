package io.posbias.probe.rag;

import io.posbias.probe.Spaces;
import java.util.Locale;
import java.util.regex.Pattern;

/** Verdict on an answer. */
public enum RagVerdict {
    /** The judge's reply begins with YES. */
    CORRECT,
    /** It begins with the word NO. */
    WRONG,
    /** The reply begins with YES, but the answer says that the document does not provide it: counts as wrong. */
    ABSTAINED,
    /** The reply begins with neither: counts as wrong. */
    UNCLEAR,
    /** Empty answer, which is not judged: counts as wrong. */
    EMPTY;

    /** Phrase of abstaining readers; the authors' notebooks count it as wrong regardless of the judge. */
    private static final String ABSTAINS = "document does not provide";

    private static final Pattern NO = Pattern.compile("NO\\b.*", Pattern.DOTALL);

    /**
     * Parses a judge's reply.
     *
     * @param prompt the judge's question, with evidence and answer
     */
    static RagVerdict of(String prompt, String reply) {
        String judged = Spaces.strip(reply).toUpperCase(Locale.ROOT);
        if (judged.startsWith("YES")) {
            return prompt.contains(ABSTAINS) ? ABSTAINED : CORRECT;
        }
        return NO.matcher(judged).matches() ? WRONG : UNCLEAR;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
