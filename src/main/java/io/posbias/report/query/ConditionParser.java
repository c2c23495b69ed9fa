package io.posbias.report.query;

import io.posbias.Printable;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.report.query.Condition.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads conditions such as {@code words > 300 and (language = de or not stratum = '513-1024')}. {@code not} binds tighter than
 * {@code and}, that tighter than {@code or}. Text is quoted where it holds spaces, signs or parentheses; a quote within is
 * doubled.
 *
 * <pre>
 * or         = and {"or" and}
 * and        = not {"and" not}
 * not        = "not" not | "(" or ")" | comparison
 * comparison = field ("=" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=") value
 * </pre>
 */
final class ConditionParser {
    private static final Pattern TOKEN = Pattern.compile("\\s*+(?:(?<quoted>'[^']*+(?:''[^']*+)*+'|"
            + "\"[^\"]*+(?:\"\"[^\"]*+)*+\")|(?<sign><=|>=|!=|[=<>()])|(?<word>[^\\s=<>!()'\"]++))");

    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

    /** Deeper ones are no condition that anybody wrote. */
    private static final int DEEPEST = 100;

    private final String text;
    private final Map<String, QueryFields.Kind> fields;
    private final List<Token> tokens = new ArrayList<>();
    private int next;
    private int depth;

    /**
     * @param quoted whether it is text whatever it looks like
     * @param at where it begins
     */
    private record Token(String text, boolean quoted, int at) {
        boolean is(String word) {
            return !quoted && text.equalsIgnoreCase(word);
        }
    }

    private ConditionParser(String text, Map<String, QueryFields.Kind> fields) {
        this.text = text;
        this.fields = fields;
    }

    /**
     * A condition.
     *
     * @param fields that there are, and what they hold
     * @throws UsageException what is wrong, and where
     */
    static Condition parse(String text, Map<String, QueryFields.Kind> fields) {
        ConditionParser parser = new ConditionParser(text, fields);
        parser.cut();
        Condition condition = parser.either();
        if (parser.next < parser.tokens.size()) {
            throw parser.wrong("'and' or 'or' must join conditions", parser.tokens.get(parser.next));
        }
        return condition;
    }

    private void cut() {
        Matcher matcher = TOKEN.matcher(text);
        int at = 0;
        int end = text.stripTrailing().length();
        while (at < end) {
            matcher.region(at, text.length());
            if (!matcher.lookingAt()) {
                int start = at
                        + text.substring(at).length()
                        - text.substring(at).stripLeading().length();
                String rest = text.substring(start);
                boolean open = rest.startsWith("'") || rest.startsWith("\"");
                throw wrong(open ? "a quote is not closed" : "no sign is written so", new Token(rest, false, start));
            }
            String quoted = matcher.group("quoted");
            String sign = matcher.group("sign");
            String plain = sign == null ? matcher.group("word") : sign;
            tokens.add(
                    quoted == null
                            ? new Token(plain, false, matcher.end() - plain.length())
                            : new Token(unquoted(quoted), true, matcher.end() - quoted.length()));
            at = matcher.end();
        }
    }

    private static String unquoted(String quoted) {
        String quote = quoted.substring(0, 1);
        return quoted.substring(1, quoted.length() - 1).replace(quote + quote, quote);
    }

    private Condition either() {
        List<Condition> parts = new ArrayList<>(List.of(both()));
        while (take("or")) {
            parts.add(both());
        }
        return parts.size() == 1 ? parts.getFirst() : Condition.any(parts);
    }

    private Condition both() {
        List<Condition> parts = new ArrayList<>(List.of(negated()));
        while (take("and")) {
            parts.add(negated());
        }
        return parts.size() == 1 ? parts.getFirst() : Condition.all(parts);
    }

    private Condition negated() {
        depth++;
        if (depth > DEEPEST) {
            throw wrong("more than " + DEEPEST + " conditions within each other", tokens.get(next - 1));
        }
        Condition one;
        if (take("not")) {
            one = negated().not();
        } else if (take("(")) {
            one = either();
            if (!take(")")) {
                throw wrong("a parenthesis is not closed", here());
            }
        } else {
            one = comparison();
        }
        depth--;
        return one;
    }

    private Condition comparison() {
        Token field = here();
        if (field.text.isEmpty() || (!field.quoted && isSign(field.text))) {
            throw wrong("a field is missing", field);
        }
        QueryFields.Kind kind = fields.get(field.text);
        if (kind == null) {
            throw wrong(Suggestions.unknown("field", field.text, fields.keySet()), field);
        }
        next++;
        Operator operator = operator(field, kind);
        Token value = here();
        if (!value.quoted && (value.text.isEmpty() || isSign(value.text))) {
            throw wrong("a value is missing", value);
        }
        next++;
        if (kind == QueryFields.Kind.TEXT) {
            return Condition.text(field.text, operator, value.text);
        }
        if (value.quoted || !NUMBER.matcher(value.text).matches()) {
            throw wrong(field.text + " holds numbers, and this is none", value);
        }
        return Condition.number(field.text, operator, Double.parseDouble(value.text));
    }

    private Operator operator(Token field, QueryFields.Kind kind) {
        Token sign = here();
        for (Operator operator : Operator.values()) {
            if (sign.is(operator.sign())) {
                if (kind == QueryFields.Kind.TEXT && !operator.takesTexts()) {
                    throw wrong(field.text + " holds text, which is compared by = and !=", sign);
                }
                next++;
                return operator;
            }
        }
        throw wrong("after " + field.text + " one of = != < <= > >= must come", sign);
    }

    private static boolean isSign(String text) {
        return "()=<>!".indexOf(text.charAt(0)) >= 0;
    }

    /** What comes next; an empty word at the end. */
    private Token here() {
        return next < tokens.size() ? tokens.get(next) : new Token("", false, text.length());
    }

    private boolean take(String word) {
        boolean found = here().is(word);
        next += found ? 1 : 0;
        return found;
    }

    private UsageException wrong(String what, Token token) {
        String where = token.at >= text.length()
                ? "at the end of " + Printable.quoted(text)
                : "at character " + (text.codePointCount(0, token.at) + 1) + ", before "
                        + Printable.quoted(text.substring(token.at));
        return new UsageException("--where, " + where + ": " + what);
    }
}
