package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainDocumentsTest {
    @TempDir
    Path folder;

    private List<String> read(String field) {
        List<String> found = new ArrayList<>();
        PlainDocuments.of(List.of(folder), field, "--input").forEach((source, id, text) -> found.add(id + " " + text));
        return found;
    }

    @Test
    void rowsOfAFolderAreReadByColumn() throws IOException, SQLException {
        Files.createDirectories(folder.resolve("zh"));
        ParquetFiles.write(folder.resolve("zh/0.parquet"), "SELECT '中文。' AS content, 7 AS id", "zstd");
        Files.writeString(folder.resolve("a.jsonl"), "{\"content\": \"one\"}\n{\"content\": \"two\"}\n");
        Files.writeString(folder.resolve("readme.json"), "{}");
        assertThat(read("content")).containsExactly("a.jsonl#row1 one", "a.jsonl#row2 two", "zh/0.parquet#7 中文。");
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("a.jsonl:1");
    }

    @Test
    void rowsOfOneFileKeepTheirIdentifiersAndARepeatNamesBothPlaces() throws IOException {
        Path rows = folder.resolve("a.jsonl");
        Files.writeString(rows, "{\"id\": \"x\", \"text\": \"one\"}\n{\"text\": \"two\"}\n");
        List<String> found = new ArrayList<>();
        PlainDocuments.of(List.of(folder), "text", "--input")
                .passages()
                .inFileOrder((ordinal, passage) -> found.add(passage.id() + " " + passage.text()));
        assertThat(found).containsExactly("x one", "row2 two");
        Files.writeString(rows, "{\"id\": \"x\", \"text\": \"three\"}\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("a.jsonl:3", "a.jsonl:1");
    }

    @Test
    void filesHaveDifferentIdentifiersWhateverTheirNames() throws IOException {
        List<String> names = List.of("n 0.txt", "n%200.txt", "n0.md", "n0.txt", "n_0.TXT", "ä.txt", "日本.txt");
        for (String name : names) {
            Files.writeString(folder.resolve(name), name);
        }
        assertThat(read("text"))
                .containsExactly(
                        "n%200.txt n 0.txt",
                        "n%25200.txt n%200.txt",
                        "n0.md n0.md",
                        "n0.txt n0.txt",
                        "n_0.TXT n_0.TXT",
                        "ä.txt ä.txt",
                        "日本.txt 日本.txt");
    }

    @Test
    void frontMatterCodeAndTablesAreNoProse() throws IOException {
        Files.writeString(folder.resolve("a.md"), """
                ---
                title: Pumps
                ---
                # Pumps
                A pump moves water.
                ```java
                int a = 1; // | no table |
                ~~~
                ```
                It has a | in it.
                name | litres
                --- | ---
                one | 2

                | two | 3 |
                The end.
                """);
        Files.writeString(folder.resolve("b.md"), "Only prose.\n--- no front matter\n");
        Files.writeString(folder.resolve("c.txt"), "---\na: b\n---\n");
        assertThat(read("text").stream().map(text -> text.replaceAll("\n+", "/")))
                .containsExactly(
                        "a.md # Pumps/A pump moves water./It has a | in it./The end./",
                        "b.md Only prose./--- no front matter/",
                        "c.txt ---/a: b/---/");
        List<Integer> left = new ArrayList<>();
        PlainDocuments.of(List.of(folder), "text", "--input")
                .forEach((source, id, text) -> left.add(source.integer(PlainDocuments.LEFT_OUT)));
        assertThat(left).containsExactly(11, 0, 0);
    }

    @Test
    void severalInputsHavePathsBelowTheFolderOfAll() throws IOException {
        for (String name : List.of("x", "y")) {
            Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("n.txt"), name);
        }
        List<Path> inputs = List.of(folder.resolve("y"), folder.resolve("x"));
        assertThat(PlainDocuments.of(inputs, "text", "--input").files().keySet())
                .containsExactly("y/n.txt", "x/n.txt");
        List<Path> twice = List.of(folder.resolve("y"), folder.resolve("y/n.txt"));
        assertThatThrownBy(() -> PlainDocuments.of(twice, "text", "--input")).isInstanceOf(UsageException.class);
    }

    @Test
    void textsBesideRowsAreRefused() throws IOException {
        Files.writeString(folder.resolve("requirements.txt"), "text");
        Path rows = Files.writeString(folder.resolve("a.jsonl"), "{\"text\": \"one\"}\n");
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("requirements.txt", "give " + rows);
    }

    @Test
    void hiddenFilesAreNoDocumentsAndOthersAreCounted() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "text");
        Files.writeString(folder.resolve("._a.txt"), "text");
        Path versions = Files.createDirectories(folder.resolve(".ipynb_checkpoints"));
        Files.writeString(versions.resolve("a-checkpoint.txt"), "yesterday");
        Files.writeString(folder.resolve("b.pdf"), "");
        Files.createSymbolicLink(folder.resolve("lost.txt"), folder.resolve("nowhere"));
        Files.createSymbolicLink(folder.resolve("more"), versions);
        PlainDocuments documents = PlainDocuments.of(List.of(folder), "text", "--input");
        assertThat(documents.files().keySet()).containsExactly("a.txt");
        assertThat(documents.unread())
                .isEqualTo(folder + ": not read: 1 broken, 1 broken link, 2 hidden, 1 link to a folder");
    }

    private void docx(String name, String xml) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            zip.putNextEntry(new ZipEntry("word/document.xml"));
            zip.write(xml.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void pdf(String name, String text) throws IOException {
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(100, 700);
                content.showText(text);
                content.endText();
            }
            document.save(folder.resolve(name).toFile());
        }
    }

    @Test
    void documentsOfPeopleAreReadAndThoseWithoutTextAreCounted() throws IOException {
        Files.writeString(
                folder.resolve("a.html"),
                "<html><head><title>No</title><script>x</script></head><body><nav>Menu</nav><p>One &amp;\n two.</p><div>Three."
                        + "<ul><li>Four<li>Five</ul></div></body></html>");
        docx("b.docx", """
                <w:document xmlns:w="w"><w:body><w:p><w:r><w:t>One </w:t></w:r><w:r><w:t>two.</w:t></w:r></w:p>
                <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>Three.</w:t></w:r></w:p></w:body></w:document>
                """);
        docx("entity.docx", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x><t>&e;</t></x>");
        pdf("c.pdf", "One two.");
        pdf("scan.pdf", "");

        PlainDocuments documents = PlainDocuments.of(List.of(folder), "text", "--input");

        Map<String, String> texts = new TreeMap<>();
        documents.forEach((source, id, text) -> texts.put(id, text));
        assertThat(texts)
                .containsExactly(
                        Map.entry("a.html", "One & two.\n\nThree.\n\nFour\n\nFive"),
                        Map.entry("b.docx", "One two.\n\nThree."),
                        Map.entry("c.pdf", "One two."));
        assertThat(documents.unread()).contains("1 broken, 1 without text");
    }

    @Test
    void aFolderWithoutDocumentsIsRefused() {
        assertThatThrownBy(() -> read("text"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("contains neither");
    }
}
