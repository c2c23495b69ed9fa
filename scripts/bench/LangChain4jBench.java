import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.allminilml6v2.AllMiniLmL6V2EmbeddingModel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** LangChain4j's side of {@code run encoding}, as its users call it; it cuts texts at 510 tokens by itself. */
public final class LangChain4jBench {
    private LangChain4jBench() {}

    /** Argument: the folder of texts. */
    public static void main(String[] args) throws Exception {
        AllMiniLmL6V2EmbeddingModel model = new AllMiniLmL6V2EmbeddingModel();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String task = in.readLine(); task != null; task = in.readLine()) {
            List<TextSegment> texts = Files.readAllLines(Path.of(args[0], task.split("-")[0] + ".txt")).stream()
                    .map(TextSegment::from)
                    .toList();
            long start = System.nanoTime();
            if (model.embedAll(texts).content().size() != texts.size()) {
                throw new IllegalStateException("vectors are missing");
            }
            System.out.println((System.nanoTime() - start) / 1e9 + " " + texts.size());
        }
        System.exit(0);
    }
}
