package io.posbias.probe.redocred;

import io.posbias.encode.api.ChatReply;
import io.posbias.probe.Chat;
import io.posbias.probe.Spaces;
import io.posbias.probe.rag.RagPrompts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Wrong answers as in the paper: a language model replaces the tail in the evidence. A reply is used if it is a short name and
 * not a true answer; otherwise the query has none, since the reply at temperature 0 would not change.
 */
final class LlmAnswers implements WrongAnswers {
    /** Four of the 34,732 tails in Re-DocRED's dev and test files have more. */
    private static final int MOST_WORDS = 12;

    private static final Pattern LINES = Pattern.compile("\\R");
    private static final Pattern QUOTED = Pattern.compile("([\"'`“‘«]).*[\"'`”’»]");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]");

    private final Chat chat;
    private final RagPrompts prompts;
    private final TrueAnswers answers;
    private final Map<Integer, ChatReply> replies = new HashMap<>();
    private final TreeMap<String, Integer> refused = new TreeMap<>();

    LlmAnswers(Chat chat, RagPrompts prompts, List<RedocredDocument> documents) {
        this.chat = chat;
        this.prompts = prompts;
        answers = new TrueAnswers(documents);
    }

    @Override
    public String kind() {
        return "llm " + chat.model();
    }

    /** Sends all prompts at once, for parallel calls. */
    @Override
    public void prepare(List<ProbeQuery> queries) {
        List<ChatReply> all = chat.ask(queries.stream().map(this::question).toList());
        for (int i = 0; i < all.size(); i++) {
            replies.put(queries.get(i).ordinal(), all.get(i));
        }
    }

    private String question(ProbeQuery query) {
        return prompts.poisoning(
                query.document().sentence(query.evidence()), query.tail().longestName());
    }

    @Override
    public Optional<String> of(ProbeQuery query) {
        ChatReply reply = replies.get(query.ordinal());
        if (reply == null) {
            throw new IllegalStateException("no reply was requested for " + query.id());
        }
        String text = Spaces.strip(reply.text());
        if (text.isEmpty()) {
            return refuse("empty");
        }
        String name = unquoted(text);
        boolean isName = !LINES.matcher(text).find()
                && Spaces.words(name) <= MOST_WORDS
                && WORD.matcher(name).find();
        if (!isName) {
            return refuse("no short name");
        }
        return TrueAnswers.isWrong(Spaces.folded(name), answers.of(query))
                ? Optional.of(name)
                : refuse("a true answer");
    }

    private Optional<String> refuse(String reason) {
        refused.merge(reason, 1, Integer::sum);
        return Optional.empty();
    }

    /** Strips quotes. */
    private static String unquoted(String text) {
        boolean quoted = text.length() > 2 && QUOTED.matcher(text).matches();
        return Spaces.single(quoted ? text.substring(1, text.length() - 1) : text);
    }

    @Override
    public Details details() {
        return new Details(kind(), prompts.sha256(), refused);
    }
}
