package io.posbias.study.build;

import io.posbias.base.process.Sessions;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.study.build.llm.LanguageModel;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** How many questions a second a language model is asked: a program for docs/adr/0035-measured-speed.md, of which a test asks less. */
final class CallRate {
    private static final int WARM = 200;
    private static final String TEXT = "A passage of some length that is graded. ".repeat(60);

    private CallRate() {}

    /** Calls per second, after 200 to warm up, with passages of 2,500 characters. */
    static double measure(String address, Path home, int concurrency, int calls) {
        ChatSettings settings = ChatSettings.of("--llm", address, "stand-in", Optional.empty(), Sampling.GREEDY);
        Prompt prompt = Prompt.find("relevance");
        try (CachedChat chat =
                new CachedChat(settings, Sessions.in(home), concurrency, new ApiMeter(), CallLimit.none())) {
            LanguageModel model = new LanguageModel(chat, "stand-in");
            model.ask(prompts(prompt, "warm", WARM), ModelReplies::grade);
            long start = System.nanoTime();
            for (int from = 0; from < calls; from += PromptedModel.BATCH) {
                model.ask(
                        prompts(prompt, "batch " + from, Math.min(PromptedModel.BATCH, calls - from)),
                        ModelReplies::grade);
            }
            return calls / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static List<String> prompts(Prompt prompt, String name, int n) {
        return IntStream.range(0, n)
                .mapToObj(i -> prompt.fill(Map.of("question", name + " " + i, "passage", TEXT + name + " " + i)))
                .toList();
    }

    /** Prints the rate with 16 requests under way, 4,000 calls, at 50 ms each. */
    public static void main(String[] none) throws IOException {
        StandInModel.Manner slow = new StandInModel.Manner(Map.of(), Duration.ofMillis(50));
        for (int round = 0; round < 3; round++) {
            try (StandInModel model = new StandInModel(slow)) {
                System.out.printf(
                        "%.0f calls per second%n",
                        measure(model.address(), Files.createTempDirectory("calls"), 16, 4000));
            }
        }
    }
}
