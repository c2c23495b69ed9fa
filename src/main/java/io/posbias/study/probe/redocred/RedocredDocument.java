package io.posbias.study.probe.redocred;

import io.posbias.data.dataset.CodePoints;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.RedocredDocument.Mention;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An article of Re-DocRED: tokens in sentences, entities and relations.
 *
 * @param split prefix of ids: {@code test}, {@code validation}, ...
 * @param sentences tokens joined by spaces
 * @param aligned the sentences as in {@link Spaces#aligned}
 */
record RedocredDocument(
        String split,
        String title,
        List<List<String>> tokens,
        List<Entity> entities,
        List<Label> labels,
        List<String> sentences,
        List<String> aligned) {
    static RedocredDocument of(
            String split, String title, List<List<String>> tokens, List<Entity> entities, List<Label> labels) {
        List<String> sentences =
                tokens.stream().map(words -> String.join(" ", words)).toList();
        List<String> aligned = sentences.stream().map(Spaces::aligned).toList();
        return new RedocredDocument(split, title, tokens, entities, labels, sentences, aligned);
    }

    int size() {
        return tokens.size();
    }

    String text() {
        return String.join(" ", sentences);
    }

    String sentence(int sentence) {
        return sentences.get(sentence);
    }

    List<Integer> all() {
        return IntStream.range(0, size()).boxed().toList();
    }

    List<Integer> allBut(int sentence) {
        return all().stream().filter(other -> other != sentence).toList();
    }

    /** Returns true if the sentence mentions the entity or contains one of its names as whole words. */
    boolean contains(Entity entity, int sentence) {
        return entity.isMentionedIn(sentence) || Spaces.holdsAny(aligned.get(sentence), entity.names());
    }

    /** Returns true if the sentence contains one of the {@linkplain Spaces#aligned aligned} names. */
    boolean holds(int sentence, List<String> names) {
        return names.stream().anyMatch(aligned.get(sentence)::contains);
    }

    /** Per sentence. */
    List<Integer> words() {
        return sentences.stream().map(Spaces::words).toList();
    }

    int length() {
        return Spaces.words(title) + Spaces.words(text());
    }

    /** The names of an entity and their forms in the text, as {@code September 3 , 1783} for {@code September 3, 1783}. */
    List<String> forms(Entity entity) {
        Stream<String> written = entity.mentions().stream()
                .map(mention -> String.join(" ", tokens.get(mention.sentence()).subList(mention.from(), mention.to())));
        return Stream.concat(entity.names().stream(), written)
                .filter(form -> !Spaces.strip(form).isEmpty())
                .distinct()
                .toList();
    }

    /**
     * A sentence with a name in place of each mention of an entity, by token spans, because names may differ from tokens.
     * Overlapping spans become one name.
     */
    String renamed(int sentence, Entity entity, String name) {
        List<Mention> mentions = entity.mentions().stream()
                .filter(mention -> mention.sentence() == sentence)
                .sorted(Comparator.comparingInt(Mention::from))
                .toList();
        List<String> words = tokens.get(sentence);
        List<String> replaced = new ArrayList<>();
        int next = 0;
        for (Mention mention : mentions) {
            if (mention.from() >= next) {
                replaced.addAll(words.subList(next, mention.from()));
                replaced.add(name);
            }
            next = Math.max(next, mention.to());
        }
        replaced.addAll(words.subList(next, words.size()));
        return String.join(" ", replaced);
    }

    /**
     * A relation between two entities of a document.
     *
     * @param relation Wikidata property, for example {@code P569}
     * @param head index of the entity
     * @param tail index of the entity
     * @param evidence sentences, from 0; may be empty
     */
    record Label(String relation, int head, int tail, List<Integer> evidence) {}

    /**
     * A mention of an entity.
     *
     * @param name may differ from the tokens joined by spaces ({@code September 3, 1783} for four tokens)
     * @param type {@code PER}, {@code LOC}, {@code ORG}, {@code TIME}, {@code NUM} or {@code MISC}
     * @param sentence from 0
     * @param from first token, from 0
     * @param to end token, exclusive
     */
    record Mention(String name, String type, int sentence, int from, int to) {}

    /**
     * An entity of a document.
     *
     * @param mentions at least one, in file order; Re-DocRED lists some twice, and each counts
     */
    record Entity(List<Mention> mentions) {
        private static final Comparator<String> BY_LENGTH = Comparator.comparingInt(CodePoints::count);

        List<String> names() {
            return mentions.stream().map(Mention::name).distinct().toList();
        }

        /** The longest name, the first mentioned of equals. The paper's notebooks break ties at random. */
        String longestName() {
            return names().stream().sorted(BY_LENGTH.reversed()).findFirst().orElseThrow();
        }

        /** The shortest name other than the longest; the longest if it is the only one. */
        String shortestOtherName() {
            String longest = longestName();
            return names().stream()
                    .filter(name -> !name.equals(longest))
                    .min(BY_LENGTH)
                    .orElse(longest);
        }

        /** The type of the first mention; a few entities mix types. */
        String type() {
            return mentions.getFirst().type();
        }

        boolean isMentionedIn(int sentence) {
            return mentionsIn(sentence) > 0;
        }

        int mentionsIn(int sentence) {
            return (int) mentions.stream()
                    .filter(mention -> mention.sentence() == sentence)
                    .count();
        }

        int firstSentence() {
            return mentions.stream().mapToInt(Mention::sentence).min().orElseThrow();
        }
    }
}
