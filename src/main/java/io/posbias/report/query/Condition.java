package io.posbias.report.query;

import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a query: comparisons joined by {@code and}, {@code or} and {@code not}. Where a value is not known, a
 * comparison is neither true nor false (Kleene's logic of three values): a query matches only if the whole is true.
 */
@FunctionalInterface
interface Condition {
    /** Whether something is so. */
    enum Truth {
        NO,
        UNKNOWN,
        YES;

        private Truth not() {
            return switch (this) {
                case NO -> YES;
                case UNKNOWN -> UNKNOWN;
                case YES -> NO;
            };
        }

        private static Truth of(boolean is) {
            return is ? YES : NO;
        }
    }

    /** The values of a query. */
    @FunctionalInterface
    interface Row {
        /** The value of a field, several as a list; null where it is not known. */
        @Nullable
        Object value(String field);
    }

    /** Whether a query is so. */
    Truth of(Row row);

    /** How a field is compared with a value. */
    enum Operator {
        EQUAL("="),
        UNEQUAL("!="),
        AT_MOST("<="),
        AT_LEAST(">="),
        BELOW("<"),
        ABOVE(">");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        private boolean holds(double value, double wanted) {
            return switch (this) {
                case EQUAL -> value == wanted;
                case UNEQUAL -> value != wanted;
                case AT_MOST -> value <= wanted;
                case AT_LEAST -> value >= wanted;
                case BELOW -> value < wanted;
                case ABOVE -> value > wanted;
            };
        }

        /** What it is written as. */
        String sign() {
            return sign;
        }

        /** Whether texts can be compared so. */
        boolean takesTexts() {
            return this == EQUAL || this == UNEQUAL;
        }
    }

    /** A field that holds a number. */
    static Condition number(String field, Operator operator, double wanted) {
        return compared(field, value -> operator.holds(((Number) value).doubleValue(), wanted));
    }

    /** A field that holds text, or several: one of these must be equal, or none. */
    static Condition text(String field, Operator operator, String wanted) {
        boolean equal = operator == Operator.EQUAL;
        return compared(
                field,
                value -> equal == (value instanceof List<?> several ? several.contains(wanted) : value.equals(wanted)));
    }

    private static Condition compared(String field, Predicate<Object> holds) {
        return row -> {
            Object value = row.value(field);
            return value == null ? Truth.UNKNOWN : Truth.of(holds.test(value));
        };
    }

    /** All of some, at least one. */
    static Condition all(List<Condition> parts) {
        return row -> Collections.min(truths(parts, row));
    }

    /** One of some at least. */
    static Condition any(List<Condition> parts) {
        return row -> Collections.max(truths(parts, row));
    }

    private static List<Truth> truths(List<Condition> parts, Row row) {
        return parts.stream().map(part -> part.of(row)).toList();
    }

    /** The opposite. */
    default Condition not() {
        return row -> of(row).not();
    }
}
