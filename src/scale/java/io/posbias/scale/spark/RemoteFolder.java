package io.posbias.scale.spark;

import io.posbias.Printable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A folder on a file system that Hadoop's client reaches: HDFS, an object store, a disk. Names are relative, with slashes. */
final class RemoteFolder {
    private static final String PART = ".part";

    private final FileSystem files;
    private final Path root;

    RemoteFolder(FileSystem files, Path root) {
        this.files = files;
        this.root = root;
    }

    /** The folder at an address, made if it is not there. */
    static RemoteFolder at(String address, Configuration settings) throws IOException {
        Path root = new Path(address);
        FileSystem files = root.getFileSystem(settings);
        files.mkdirs(root);
        return new RemoteFolder(files, root);
    }

    /** All files below a folder in it, whole or not, with their sizes. */
    SortedMap<String, Long> list(String below) throws IOException {
        SortedMap<String, Long> found = new TreeMap<>();
        Path top = files.makeQualified(new Path(root, below));
        int before = top.toUri().getPath().length() + 1;
        try {
            RemoteIterator<LocatedFileStatus> all = files.listFiles(top, true);
            while (all.hasNext()) {
                LocatedFileStatus file = all.next();
                String name = file.getPath().toUri().getPath().substring(before);
                if (!name.endsWith(PART)) {
                    found.put(name, file.getLen());
                }
            }
        } catch (FileNotFoundException none) {
            // Nothing was ever put there.
        }
        return found;
    }

    void read(String name, OutputStream into) throws IOException {
        try (InputStream in = files.open(new Path(root, name))) {
            in.transferTo(into);
        }
    }

    byte[] read(String name) throws IOException {
        try (InputStream in = files.open(new Path(root, name))) {
            return in.readAllBytes();
        }
    }

    /** Writes the bytes {@code from} to {@code to} (exclusive) of a file; who finds fewer knows that it is not whole. */
    void write(String name, FileChannel file, long from, long to) throws IOException {
        try (OutputStream out = files.create(new Path(root, name), true)) {
            long left = to - from;
            InputStream in = Channels.newInputStream(file.position(from));
            byte[] buffer = new byte[1 << 16];
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    throw new IOException(name + " became shorter while it was copied");
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    /** Writes a small file whole or not at all, in the place of an older one. */
    void replace(String name, byte[] content) throws IOException {
        Path file = new Path(root, name);
        Path part = new Path(root, name + PART);
        try (OutputStream out = files.create(part, true)) {
            out.write(content);
        }
        files.delete(file, false);
        if (!files.rename(part, file)) {
            throw new IOException("cannot rename " + part + " to " + file);
        }
    }

    /** Makes a file that is not there; says whether it was made, by this process alone where the file system can tell. */
    boolean make(String name, byte[] content) throws IOException {
        Path file = new Path(root, name);
        if (files.exists(file)) {
            return false;
        }
        try (OutputStream out = files.create(file, false)) {
            out.write(content);
            return true;
        } catch (IOException refused) {
            if (files.exists(file)) {
                return false;
            }
            throw refused;
        }
    }

    void overwrite(String name, byte[] content) throws IOException {
        try (OutputStream out = files.create(new Path(root, name), true)) {
            out.write(content);
        }
    }

    void delete(String name) throws IOException {
        files.delete(new Path(root, name), false);
    }

    /** As errors show it. */
    @Override
    public String toString() {
        return Printable.of(root.toString());
    }
}
