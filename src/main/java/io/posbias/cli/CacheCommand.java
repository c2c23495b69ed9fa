package io.posbias.cli;

import io.posbias.base.process.ExitCode;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Group;
import io.posbias.model.encode.cache.CacheFolders;
import io.posbias.model.retrieve.RecipeBook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cache",
        description = "Show and delete cached vectors and replies of language models.",
        subcommands = {CacheCommand.Contents.class, CacheCommand.Clear.class},
        footer = {"", "Examples:", "  posbias cache info", "  posbias cache clear all-minilm-l6-v2"})
final class CacheCommand extends Group {

    private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

    /** "12.3 MiB". */
    static String size(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        double size = bytes / 1024.0;
        int unit = 0;
        while (size >= 1_000 && unit < UNITS.size() - 1) {
            size /= 1 << 10;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", size, UNITS.get(unit));
    }

    @Command(
            name = "info",
            description = "List cached vectors and replies by model, with sizes.",
            footer = {"", "Examples:", "  posbias cache info", "  posbias cache info --format csv"})
    static final class Contents extends BaseCommand {
        /** Other parts of posbias's home. */
        private static final List<String> OTHERS = List.of("models", "jars", "datasets", "downloads");

        @Mixin
        private FormatOption form = new FormatOption();

        private record CacheLine(
                String model, String folder, @Nullable String dimension, String format, int files, String size) {}

        @Override
        protected void work() {
            Path home = session().home();
            List<CacheFolders.Space> spaces = CacheFolders.list(home);
            Path vectors = CacheFolders.in(home);
            Path replies = CacheFolders.repliesIn(home);
            List<String> notes = new ArrayList<>();
            notes.add("vectors: " + total(spaces, vectors) + " in " + vectors);
            notes.add("replies: " + total(spaces, replies) + " in " + replies);
            for (String other : OTHERS) {
                notes.add(other + ": " + size(CacheFolders.size(home.resolve(other))) + " in " + home.resolve(other));
            }
            List<CacheLine> lines = spaces.stream()
                    .map(space -> new CacheLine(
                            space.model(),
                            space.folder().getFileName().toString(),
                            dimension(space, vectors),
                            space.format(),
                            space.files(),
                            size(space.bytes())))
                    .toList();
            print(form.list(CacheLine.class, lines, notes, session()));
        }

        private static String total(List<CacheFolders.Space> spaces, Path within) {
            return size(spaces.stream()
                    .filter(space -> space.folder().startsWith(within))
                    .mapToLong(CacheFolders.Space::bytes)
                    .sum());
        }

        private static @Nullable String dimension(CacheFolders.Space space, Path vectors) {
            if (!space.folder().startsWith(vectors)) {
                return null;
            }
            return space.dimension() == 0 ? "?" : String.valueOf(space.dimension());
        }
    }

    @Command(
            name = "clear",
            description = "Delete cached vectors and replies of some or all models.",
            footer = {
                "",
                "Deletes without confirmation; the next run computes them again. Entries in use by another process are"
                        + " kept, with exit code 1.",
                "",
                "Examples:",
                "  posbias cache clear all-minilm-l6-v2",
                "  posbias cache clear --all"
            })
    static final class Clear extends BaseCommand {
        @Parameters(paramLabel = "MODEL", arity = "0..*", description = "Models as listed by 'posbias cache info'.")
        private List<String> models = List.of();

        @Option(names = "--all", description = "All vectors and replies of all models.")
        private boolean all;

        @Override
        public Integer call() {
            refuse(
                    all == !models.isEmpty(),
                    all ? "give models or --all, not both" : "give the names of models, or --all");
            Path home = session().home();
            List<CacheFolders.Space> spaces = CacheFolders.list(home);
            List<String> known =
                    spaces.stream().map(CacheFolders.Space::model).distinct().toList();
            models.stream().filter(model -> !known.contains(model)).forEach(model -> {
                // No error for a known model without vectors; an unknown name is a typing error.
                refuse(!RecipeBook.builtIn().contains(model), Suggestions.unknown("model", model, known));
                say(model + ": nothing cached");
            });
            long freed = 0;
            int used = 0;
            for (CacheFolders.Space space : spaces) {
                if (!all && !models.contains(space.model())) {
                    continue;
                }
                if (CacheFolders.delete(home, space)) {
                    freed += space.bytes();
                    say(space.model() + ": " + size(space.bytes()) + " in " + space.folder() + " deleted");
                } else {
                    used++;
                    say(space.model() + ": kept, in use by another process: " + space.folder());
                }
            }
            print(size(freed) + " freed\n");
            return used == 0 ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}
