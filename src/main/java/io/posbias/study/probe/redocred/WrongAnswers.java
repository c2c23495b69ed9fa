package io.posbias.study.probe.redocred;

import io.posbias.model.chat.ChatReply;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.NumpyPermutation;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.rag.RagPrompts;
import io.posbias.study.probe.redocred.RedocredDocument.Entity;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import io.posbias.study.probe.redocred.WrongAnswers.TrueAnswers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Source of a poisoned document's wrong answer. */
interface WrongAnswers {
    /** Value of the tag {@code poison_by}. */
    String kind();

    /** Receives all queries before the first answer is requested. */
    default void prepare(List<ProbeQuery> queries) {}

    /** A plausible wrong answer to a query; empty if there is none. */
    Optional<String> of(ProbeQuery query);

    /**
     * Language model entries of {@code probes.yaml}.
     *
     * @param proposalsLeftOut queries without a wrong answer, by reason
     */
    record Details(String poisonBy, String promptsSha256, Map<String, Integer> proposalsLeftOut) {}

    /** Entries of {@code probes.yaml}; null for none. */
    default @Nullable Details details() {
        return null;
    }

    /** True answers of queries in any article, to recognise wrong answers. */
    static final class TrueAnswers {
        private final Map<List<String>, Set<String>> answers = new HashMap<>();

        TrueAnswers(List<RedocredDocument> documents) {
            for (RedocredDocument document : documents) {
                document.labels().forEach(label -> note(document, label));
            }
        }

        private void note(RedocredDocument document, Label label) {
            for (String head : document.entities().get(label.head()).names()) {
                answers.computeIfAbsent(List.of(head, label.relation()), unseen -> new LinkedHashSet<>())
                        .addAll(document.entities().get(label.tail()).names());
            }
        }

        /** Head, tail and all answers to the same question in any article, {@linkplain Spaces#folded folded}. */
        List<String> of(ProbeQuery query) {
            Set<String> right = new LinkedHashSet<>(query.head().names());
            right.addAll(query.tail().names());
            query.head()
                    .names()
                    .forEach(head -> right.addAll(answers.getOrDefault(List.of(head, query.relation()), Set.of())));
            return right.stream().map(Spaces::folded).toList();
        }

        /** Returns true if a folded name neither contains nor is contained in a true answer ("1945" in "May 1945"). */
        static boolean isWrong(String name, List<String> right) {
            return right.stream().noneMatch(answer -> name.contains(answer) || answer.contains(name));
        }
    }

    /**
     * Wrong answers without a language model: a name of the tail's type from another article, drawn by the query's own seed. Names
     * that contain, or are contained in, a true answer are skipped. They fit the sentence less well than the paper's, which GPT-4o
     * wrote.
     */
    static final class TypeMatchedAnswers implements WrongAnswers {
        /** {@linkplain Spaces#folded Folded} names by type and name. */
        private final Map<String, Map<String, String>> namesByType = new HashMap<>();

        private final TrueAnswers answers;

        TypeMatchedAnswers(List<RedocredDocument> documents) {
            answers = new TrueAnswers(documents);
            for (RedocredDocument document : documents) {
                for (Entity entity : document.entities()) {
                    namesByType
                            .computeIfAbsent(entity.type(), unseen -> new LinkedHashMap<>())
                            .computeIfAbsent(Spaces.single(entity.longestName()), Spaces::folded);
                }
            }
        }

        @Override
        public String kind() {
            return "type-matched";
        }

        @Override
        public Optional<String> of(ProbeQuery query) {
            Set<String> own = query.document().entities().stream()
                    .flatMap(entity -> entity.names().stream())
                    .map(Spaces::single)
                    .collect(Collectors.toSet());
            List<String> right = answers.of(query);
            List<String> wrong = namesByType.getOrDefault(query.tail().type(), Map.of()).entrySet().stream()
                    .filter(name -> !own.contains(name.getKey()) && TrueAnswers.isWrong(name.getValue(), right))
                    .map(Map.Entry::getKey)
                    .toList();
            return NumpyPermutation.draw(wrong, 1, query.ordinal()).stream().findFirst();
        }
    }

    /**
     * Wrong answers as in the paper: a language model replaces the tail in the evidence. A reply is used if it is a short name and
     * not a true answer; otherwise the query has none, since the reply at temperature 0 would not change.
     */
    static final class LlmAnswers implements WrongAnswers {
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

        private static String unquoted(String text) {
            boolean quoted = text.length() > 2 && QUOTED.matcher(text).matches();
            return Spaces.single(quoted ? text.substring(1, text.length() - 1) : text);
        }

        @Override
        public Details details() {
            return new Details(kind(), prompts.sha256(), refused);
        }
    }
}
