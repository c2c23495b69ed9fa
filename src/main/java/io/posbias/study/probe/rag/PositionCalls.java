package io.posbias.study.probe.rag;

import io.posbias.base.text.Plural;
import io.posbias.model.chat.ChatReply;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.api.TokenPrice;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.rag.PositionAnswers.PositionPrompts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Calls and tokens of a study, before any is sent. The reader's calls are exact, as its prompts are known. Tokens are measured on the
 * reader's cached replies to these prompts: tokens per character of prompts and replies, and the mean length of a reply; without
 * cached replies they are those of {@link CallEstimate}.
 *
 * @param answers distinct prompts of the reader
 * @param known cached ones
 * @param verdicts most distinct prompts of all judges; equal answers are judged once
 * @param judged cached ones
 * @param read tokens of the prompts to be sent
 * @param written tokens of their replies; -1 if unknown
 * @param measured replies that tokens are measured on
 */
public record PositionCalls(int answers, int known, int verdicts, int judged, long read, long written, int measured) {
    /** Fewer replies do not measure. */
    private static final int LEAST = 10;

    private static final long UNKNOWN = -1;

    static PositionCalls of(
            PositionAnswers study, Collection<PositionPrompts> rows, Chat reader, List<? extends Chat> judges) {
        Set<String> prompts = new LinkedHashSet<>();
        rows.forEach(row -> row.both().forEach(prompt -> prompts.add(prompt.text())));
        TokenRate rate = TokenRate.of(prompts, reader);
        Set<String> verdicts = new LinkedHashSet<>();
        Set<String> unknown = new LinkedHashSet<>();
        List<String> toSend = new ArrayList<>();
        for (PositionPrompts row : rows) {
            row.both().forEach(prompt -> {
                Optional<ChatReply> reply = reader.known(prompt.text());
                String judged = study.toJudge(
                        row.question(), reply.orElseGet(() -> new ChatReply(rate.usualReply(), OptionalLong.empty())));
                if (reply.isEmpty() && unknown.add(prompt.text())) {
                    toSend.add(prompt.text());
                    judges.forEach(judge -> toSend.add(judged));
                } else if (reply.isPresent() && !judged.isEmpty()) {
                    verdicts.add(judged);
                }
            });
        }
        int cached = 0;
        for (Chat judge : judges) {
            for (String verdict : verdicts) {
                if (judge.known(verdict).isPresent()) {
                    cached++;
                } else {
                    toSend.add(verdict);
                }
            }
        }
        return new PositionCalls(
                prompts.size(),
                prompts.size() - unknown.size(),
                judges.size() * (verdicts.size() + unknown.size()),
                cached,
                toSend.stream().mapToLong(text -> Math.round(rate.tokens(text))).sum(),
                rate.isMeasured() ? Math.round(unknown.size() * rate.written()) : UNKNOWN,
                rate.isMeasured() ? rate.replies() : 0);
    }

    /**
     * Tokens per character, measured on cached replies.
     *
     * @param tokens of prompts and replies
     * @param characters of prompts and replies
     * @param replied characters of replies
     */
    private record TokenRate(int replies, long tokens, long characters, long replied) {
        static TokenRate of(Set<String> prompts, Chat reader) {
            int replies = 0;
            long tokens = 0;
            long characters = 0;
            long replied = 0;
            for (String prompt : prompts) {
                Optional<ChatReply> reply = reader.known(prompt);
                if (reply.isPresent() && reply.get().tokens().isPresent()) {
                    replies++;
                    tokens += reply.get().tokens().getAsLong();
                    replied += reply.get().text().length();
                    characters += prompt.length() + reply.get().text().length();
                }
            }
            return new TokenRate(replies, tokens, characters, replied);
        }

        boolean isMeasured() {
            return replies >= LEAST;
        }

        double tokens(String text) {
            return isMeasured() ? (double) tokens / characters * text.length() : CallEstimate.tokens(text);
        }

        double written() {
            return (double) tokens / characters * replied / replies;
        }

        /** A reply of the mean length; one character if that is unknown. */
        String usualReply() {
            return "-".repeat(isMeasured() ? (int) Math.max(1, replied / replies) : 1);
        }
    }

    /** Calls that are not cached: those of the reader, and at most those of the judges. */
    public int missing() {
        return answers - known + verdicts - judged;
    }

    public String line() {
        String judges =
                verdicts == 0 ? "" : ", and at most " + (verdicts - judged) + " of " + Plural.of(verdicts, "verdict");
        return "calls: " + (answers - known) + " of " + Plural.of(answers, "answer") + judges
                + "; the others are on disk";
    }

    /** One line with calls, tokens and price. */
    public String estimate(Optional<TokenPrice> price) {
        String reply = written < 0 ? " besides those of the replies" : " and " + written + " of replies";
        String usd = written < 0 || verdicts > 0
                ? ""
                : price.map(tokens -> String.format(Locale.ROOT, ", %.4f USD", tokens.usd(read, written)))
                        .orElse("");
        return "estimate: " + Plural.of(missing(), "call") + (verdicts > 0 ? " at most" : "") + ", with about "
                + Plural.of(read, "token") + reply + usd + "; nothing was sent";
    }

    /** Source of the numbers of tokens. */
    public String basis() {
        return measured > 0
                ? "tokens: as in " + measured + " replies on disk, by characters"
                : CallEstimate.BASIS + "; --max-calls 20 asks for some replies, on which the next estimate is measured";
    }
}
