package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.SharedData;
import io.posbias.base.json.Fields;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.CsvRows;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.WebFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CatalogTest {
    private final Catalog catalog = Catalog.read();

    @Test
    void holdsThePapersBenchmarks() {
        assertThat(catalog.entries())
                .containsKeys("demo", "squad-posq", "squad-posq-tiny", "fineweb-posq", "fineweb-posq-tiny");
        // Chinese is a set of its own and no translation: no cross-lingual sets.
        assertThat(catalog.matching("posir/*-????/*")).hasSize(14 * 31 + 248);
        assertThat(catalog.find("posir/cmn-Hans-eng-Latn/fineweb")).isEmpty();
        assertThat(catalog.matching("posir/eng-Latn/*")).hasSize(31);
        assertThat(catalog.matching("posir/eng-Latn")).isEqualTo(catalog.matching("posir/eng-Latn/*"));
        assertThatThrownBy(() -> catalog.matching("posir")).isInstanceOf(UsageException.class);
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
                        CatalogEntry.HubFiles.class,
                        download -> assertThat(download.files())
                                .containsExactly(
                                        "fra-Latn/law_judiciary/queries.parquet",
                                        "fra-Latn/law_judiciary/qrels/test.parquet",
                                        "eng-Latn/law_judiciary/corpus.parquet"));
    }

    /** Table 4 of the PosIR paper sums to 421,708 queries and 17,329,673 documents. */
    @Test
    void publishedTotalsAreTablesFours() {
        List<CatalogEntry.Counts> totals = catalog.entries().keySet().stream()
                .map(name -> name.substring(0, Math.max(0, name.lastIndexOf('/'))))
                .distinct()
                .flatMap(group -> catalog.total(group).stream())
                .toList();
        assertThat(totals).hasSize(10);
        assertThat(totals.stream().mapToInt(CatalogEntry.Counts::queries).sum()).isEqualTo(421_708);
        assertThat(totals.stream().mapToInt(CatalogEntry.Counts::passages).sum())
                .isEqualTo(17_329_673);
    }

    /** Table 2 of the SQuAD-PosQ paper: both edges of a bucket belong to it, so its counts sum to more than there are. */
    @Test
    void publishedBucketsAreTableTwos() {
        CatalogEntry.Counts squad = catalog.find("squad-posq").orElseThrow().published();
        assertThat(squad.buckets().values()).containsExactly(21220, 16527, 13667, 11514, 10089, 20384);
        assertThat(squad.buckets().values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(squad.queries() + 652);
        assertThat(squad).asString().contains("92,749 queries", "6 buckets", "20,233 passages");
        assertThat(squad.differences(squad)).isEmpty();
        Map<String, Integer> buckets = new LinkedHashMap<>(squad.buckets());
        buckets.put("0-100", 21219);
        assertThat(squad.differences(new CatalogEntry.Counts(92748, 20233, buckets, false)))
                .satisfiesExactly(
                        queries -> assertThat(queries).contains("92,748", "92,749"),
                        bucket -> assertThat(bucket).contains("0-100", "21,219", "21,220"));
    }

    /** The file on GitHub of each benchmark that is one. */
    private Map<CatalogEntry, WebFile> onGitHub() {
        Map<CatalogEntry, WebFile> found = new LinkedHashMap<>();
        for (CatalogEntry entry : catalog.entries().values()) {
            if (entry.origin() instanceof CatalogEntry.WebFiles web
                    && web.files().getFirst().address().toString().startsWith(HubSettings.GITHUB)) {
                found.put(entry, web.files().getFirst());
            }
        }
        return found;
    }

    /** Each has a converter, a commit and a digest; the list is that of the data beside the repository. */
    @Test
    void openBenchmarksAreAsListed() {
        Map<CatalogEntry, WebFile> files = onGitHub();
        assertThat(files).hasSize(29);
        assertThat(files).allSatisfy((entry, file) -> {
            assertThat(file.address().getPath()).matches("/[^/]+/[^/]+/[0-9a-f]{40}/.+");
            assertThat(file.digest()).matches("[0-9a-f]{64}");
            assertThat(entry.card().licence()).isNotEmpty();
            assertThat(entry.isPinned()).isTrue();
        });
        assertThat(catalog.find("korquad").orElseThrow().description()).contains("Korean", "CC BY-ND 2.0 KR");
        List<Fields> listed = CsvRows.read(SharedData.file("published/open-benchmarks.csv"));
        assertThat(listed).hasSameSizeAs(files.keySet());
        for (Fields row : listed) {
            CatalogEntry entry = catalog.find(row.text("name")).orElseThrow();
            WebFile file = Objects.requireNonNull(files.get(entry));
            PublishedFormat format = ((CatalogEntry.WebFiles) entry.origin()).format();
            assertThat(List.of(
                            file.address().toString(),
                            file.digest(),
                            String.valueOf(file.bytes()),
                            format.name().replace("squad-posq", "squad"),
                            entry.card().language(),
                            entry.card().licence(),
                            String.valueOf(entry.published().passages()),
                            String.valueOf(entry.published().queries())))
                    .containsExactly(
                            String.join(
                                    "/",
                                    HubSettings.GITHUB,
                                    row.text("repository"),
                                    row.text("commit"),
                                    row.text("path")),
                            row.text("sha256"),
                            row.text("bytes"),
                            row.text("format"),
                            row.text("language"),
                            row.text("licence"),
                            row.text("passages", "0"),
                            row.text("questions_with_answer", "0"));
        }
    }

    @Test
    void suggestsTheNearestName() {
        assertThatThrownBy(() -> catalog.matching("squad-posk"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll(
                        "\"squad-posk\"", "did you mean squad-posq?", "'posbias data list --all'", "746");
    }

    /** PosIR's Tables 1 and 4: 17,329,673 documents, 22,784,263,943 tokens. */
    @Test
    void sizesOfPosirAddUpToWhatThePaperPrints() {
        List<CatalogEntry> entries = catalog.matching("posir/????????/*");
        List<CatalogEntry.Size> sizes =
                entries.stream().flatMap(entry -> catalog.size(entry).stream()).toList();
        // Four languages came after the paper.
        assertThat(entries).hasSize(sizes.size() + 4 * 31).hasSize(434);
        double passages = 0;
        double tokens = 0;
        for (CatalogEntry.Size size : sizes) {
            passages += size.passages();
            tokens += size.passages() * size.passageTokens();
        }
        assertThat(passages).isCloseTo(17_329_673, Offset.offset(0.01));
        assertThat(tokens).isCloseTo(22_784_263_943.0, Offset.offset(1e6));
        CatalogEntry across = catalog.find("posir/ara-Arab-eng-Latn/game").orElseThrow();
        assertThat(across.corpus())
                .isEqualTo(catalog.find("posir/eng-Latn/game").orElseThrow().corpus());
        assertThat(catalog.size(across)).contains(new CatalogEntry.Size(41_894 / 31.0, 1_719_701 / 31.0, 922.4));
    }
}
