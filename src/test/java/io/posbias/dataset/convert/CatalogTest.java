package io.posbias.dataset.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.UsageException;
import org.junit.jupiter.api.Test;

class CatalogTest {
    private final Catalog catalog = Catalog.read();

    @Test
    void holdsThePapersBenchmarks() {
        assertThat(catalog.entries())
                .containsKeys("demo", "squad-posq", "squad-posq-tiny", "fineweb-posq", "fineweb-posq-tiny");
        assertThat(catalog.matching("posir/*-????/*")).hasSize(310 + 279);
        assertThat(catalog.matching("posir/eng-Latn/*")).hasSize(31);
        assertThat(catalog.matching("posir/fra-Latn-eng-Latn/*")).hasSize(31);
    }

    @Test
    void crossLingualBenchmarksTakeQueriesAndCorpusFromTwoLanguages() {
        CatalogEntry entry =
                catalog.find("posir/fra-Latn-eng-Latn/law_judiciary").orElseThrow();
        assertThat(entry.card().language()).isEqualTo("en");
        assertThat(entry.card().queryLanguage()).isEqualTo("fr");
        assertThat(entry.origin())
                .isInstanceOfSatisfying(
                        CatalogEntry.Download.class,
                        download -> assertThat(download.files())
                                .containsExactly(
                                        "fra-Latn/law_judiciary/queries.parquet",
                                        "fra-Latn/law_judiciary/qrels/test.parquet",
                                        "eng-Latn/law_judiciary/corpus.parquet"));
    }

    @Test
    void suggestsTheNearestName() {
        assertThatThrownBy(() -> catalog.matching("squad-posk"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "unknown dataset \"squad-posk\"; did you mean squad-posq? Known: climate-fever, demo");
    }
}
