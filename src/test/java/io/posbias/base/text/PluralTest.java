package io.posbias.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {
    @Test
    void oneOfAThingIsNotSeveral() {
        assertThat(Plural.of(1, "query")).isEqualTo("1 query");
        assertThat(Plural.of(0, "query")).isEqualTo("0 queries");
        assertThat(Plural.of(2, "passage")).isEqualTo("2 passages");
        assertThat(Plural.of(12, "match")).isEqualTo("12 matches");
        assertThat(Plural.of(3, "day")).isEqualTo("3 days");
    }
}
