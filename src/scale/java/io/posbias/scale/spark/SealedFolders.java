package io.posbias.scale.spark;

import io.posbias.FileNames;
import io.posbias.Staging;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Folders whose last file, the seal, says that the others are complete: finished cells. A folder that both sides have stays as it
 * is on either, until this process finishes it anew.
 *
 * @param root of all here; a folder may be this one
 * @param seal the last file of each
 * @param known when the seals were written that need no copying
 */
record SealedFolders(Path root, String seal, Map<String, FileTime> known) implements Mirrored {
    private static final String NAME = "results/";

    SealedFolders(Path root, String seal) {
        this(root, seal, new HashMap<>());
    }

    @Override
    public int fetch(RemoteFolder remote) throws IOException {
        SortedMap<String, Long> all = remote.list(NAME);
        int fetched = 0;
        for (String name : all.keySet()) {
            if (!name.equals(seal) && !name.endsWith("/" + seal)) {
                continue;
            }
            String folder = name.substring(0, name.length() - seal.length());
            Path here = folder.isEmpty() ? root : FileNames.inside(root, folder.substring(0, folder.length() - 1));
            if (!Files.exists(here.resolve(seal))) {
                fetch(remote, folder, here, all);
                fetched++;
            }
            known.put(folder, Files.getLastModifiedTime(here.resolve(seal)));
        }
        return fetched;
    }

    private void fetch(RemoteFolder remote, String folder, Path here, SortedMap<String, Long> all) throws IOException {
        try (Staging staging = Staging.within(here)) {
            for (String name : all.subMap(folder, folder + Character.MAX_VALUE).keySet()) {
                String file = name.substring(folder.length());
                if (!file.contains("/")) {
                    try (OutputStream out = Files.newOutputStream(FileNames.directlyIn(staging.folder(), file))) {
                        remote.read(NAME + name, out);
                    }
                }
            }
            staging.commitFiles(seal);
        }
    }

    @Override
    public void push(RemoteFolder remote) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        List<Path> seals;
        try (Stream<Path> all = Files.walk(root)) {
            seals = all.filter(file -> file.endsWith(seal)).sorted().toList();
        }
        for (Path file : seals) {
            Path parent = root.relativize(file).getParent();
            String folder = parent == null ? "" : parent.toString().replace('\\', '/') + "/";
            FileTime written = Files.getLastModifiedTime(file);
            if (!folder.startsWith(".") && !folder.contains("/.") && !written.equals(known.get(folder))) {
                try {
                    push(remote, folder, file);
                    known.put(folder, written);
                } catch (NoSuchFileException replaced) {
                    // It is being finished anew at this moment: the next time.
                }
            }
        }
    }

    /** The seal goes first where there is one, and comes last. */
    private void push(RemoteFolder remote, String folder, Path sealed) throws IOException {
        byte[] content = Files.readAllBytes(sealed);
        remote.delete(NAME + folder + seal);
        List<Path> files;
        try (Stream<Path> all = Files.list(sealed.resolveSibling(""))) {
            files = all.filter(file -> Files.isRegularFile(file) && !file.endsWith(seal))
                    .filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                remote.write(NAME + folder + file.getFileName(), channel, 0, channel.size());
            }
        }
        remote.replace(NAME + folder + seal, content);
    }
}
