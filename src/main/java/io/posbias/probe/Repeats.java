package io.posbias.probe;

import io.posbias.Fields;
import io.posbias.Printable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Refuses a line of a file of pairs that says again what an earlier one says. */
final class Repeats {
    private final Map<List<String>, Long> lines = new HashMap<>();
    private final String rule;

    /**
     * @param rule what may be there once, in words
     */
    Repeats(String rule) {
        this.rule = rule;
    }

    /**
     * Notes a line.
     *
     * @param with what may be there once for an id, in words; empty for the id alone
     * @throws io.posbias.BadInputException if an earlier line has both, naming it
     */
    void refuse(Fields line, String id, String with) {
        Long earlier = lines.putIfAbsent(List.of(id, with), line.where().line());
        if (earlier != null) {
            String what = with.isEmpty() ? "" : " with " + with;
            throw line.bad(
                    "id", "is " + Printable.quoted(id) + " a second time" + what + ", first in line " + earlier, rule);
        }
    }
}
