package io.posbias.fetch.jars;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.slf4j.LoggerFactory;

/**
 * ONNX Runtime's libraries for NVIDIA's GPUs, of posbias's own version: in the folder of the variable POSBIAS_ONNXRUNTIME; else
 * in the package onnxruntime-gpu of {@linkplain SitePackages a Python}; else of Maven Central, the part for this system.
 *
 * @param folder with the library and its providers
 * @param packages folders of Python's packages, which may have libraries of NVIDIA
 */
public record CudaLibraries(Path folder, List<Path> packages) {
    public static final String VARIABLE = "POSBIAS_ONNXRUNTIME";

    private static final String PROVIDER = System.mapLibraryName("onnxruntime_providers_cuda");
    private static final String SHARED = System.mapLibraryName("onnxruntime_providers_shared");
    private static final String MAIN = System.mapLibraryName("onnxruntime");
    private static final String RECORD = "RECORD";

    /** Files that only a machine with a driver has: of Linux, of Linux in Windows, of Windows. */
    private static final List<Path> OF_A_DRIVER = List.of(
            Path.of("/proc/driver/nvidia/version"),
            Path.of("/dev/nvidiactl"),
            Path.of("/dev/dxg"),
            Path.of("C:\\Windows\\System32\\nvcuda.dll"));

    /** NVIDIA's libraries that the provider uses, each before those that need it. */
    private static final List<String> NVIDIA =
            List.of("cudart", "nvJitLink", "nvrtc", "cublasLt", "cublas", "curand", "cufft", "cudnn");

    private static final Pattern NVIDIA_FILE = Pattern.compile("(?:lib)?(\\w+?)(?:\\.so\\.|64_)(\\d+).*");

    /** Those whose number is CUDA's. */
    private static final List<String> NUMBERED = NVIDIA.subList(0, 5);

    private static final Pattern RUNTIME = Pattern.compile("cudart(?:\\.so\\.|64_)(\\d+)\\D");

    /** Folders of NVIDIA's packages, below {@code nvidia/NAME}, on Linux and on Windows. */
    private static final List<String> PLACES = List.of("lib", "bin", "bin/x86_64");

    private static final String CUDA_12 = " -m pip install nvidia-cublas-cu12 nvidia-cuda-runtime-cu12"
            + " nvidia-curand-cu12 nvidia-cufft-cu12 nvidia-cudnn-cu12";

    /** The drivers that brought CUDA 12 and 13. */
    private static final Map<Integer, Integer> LEAST_DRIVER = Map.of(12, 525, 13, 580);

    /**
     * Looks for the libraries.
     *
     * @param fetches true if they may be downloaded, 400 MB
     * @return empty if there are none, and none may be downloaded
     * @throws PosbiasException if those that are found cannot be used
     */
    public static Optional<CudaLibraries> find(Session session, boolean fetches) {
        List<Path> packages = SitePackages.folders(session);
        Optional<Path> named = session.folder(VARIABLE);
        if (named.isPresent()) {
            return Optional.of(new CudaLibraries(byHand(named.get()), packages));
        }
        for (Path place : packages) {
            Path folder = place.resolve("onnxruntime").resolve("capi");
            if (Files.exists(folder.resolve(PROVIDER))) {
                checkWheel(place, folder, session);
                return Optional.of(new CudaLibraries(folder, packages));
            }
        }
        return ofMavenCentral(session, fetches).map(folder -> new CudaLibraries(folder, packages));
    }

    /** Returns true if there is a sign of NVIDIA's driver; a driver in an unusual place has none. */
    public static boolean isDriverSeen() {
        return OF_A_DRIVER.stream().anyMatch(Files::exists);
    }

    /** Returns the command that installs the libraries for CUDA 13 in Python. */
    public static String pip(Session session) {
        return SitePackages.python(session) + " -m pip install 'onnxruntime-gpu[cuda,cudnn]==" + version() + "'";
    }

    private static String version() {
        return LibraryJars.ONNXRUNTIME.pinned().version();
    }

    private static Path byHand(Path folder) {
        Path main = main(folder);
        if (!Files.exists(main) || !Files.exists(folder.resolve(PROVIDER))) {
            throw new PosbiasException(VARIABLE + ": " + folder + " lacks " + MAIN + " or " + PROVIDER
                    + "; it names the folder of ONNX Runtime " + version() + "'s libraries for CUDA");
        }
        // The symbol that the binding asks for; Windows's libraries have no versions of symbols.
        if (MAIN.endsWith(".so")
                && first(main, Pattern.compile("VERS_" + Pattern.quote(version()) + "\0"))
                        .isEmpty()) {
            throw new PosbiasException(VARIABLE + ": " + main + " is of another version than " + version());
        }
        return folder;
    }

    /** Checks that a package is of this version and that its libraries are those of its RECORD. */
    private static void checkWheel(Path packages, Path folder, Session session) {
        String remedy = pip(session);
        Path info = packages.resolve("onnxruntime_gpu-" + version() + ".dist-info");
        if (!Files.exists(info.resolve(RECORD))) {
            String found = inside(packages)
                    .map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.matches("(?i)(onnxruntime|ort)_.*\\.dist-info"))
                    .map(name -> name.replaceFirst("\\.dist-info$", "").replaceFirst("-", " "))
                    .collect(Collectors.joining(", "));
            throw new PosbiasException("CUDA needs onnxruntime-gpu " + version() + ", and " + packages + " has "
                    + (found.isEmpty() ? "one of unknown version" : found) + ": " + remedy
                    + ", or POSBIAS_PYTHON=another Python");
        }
        Optional<String> wrong = wrong(info.resolve(RECORD), packages, folder, session);
        if (wrong.isPresent()) {
            boolean isBeside = inside(packages)
                    .anyMatch(path -> String.valueOf(path.getFileName()).matches("onnxruntime-.*\\.dist-info"));
            throw new PosbiasException(wrong.get() + " is not the file of onnxruntime-gpu's RECORD"
                    + (isBeside ? ": the package onnxruntime is in the same folder: uninstall both, then " : ": ")
                    + remedy);
        }
    }

    /**
     * Compares the libraries with a list of digests; a digest is computed once for each state of a file.
     *
     * @param base of the list's paths
     * @return the first that differs
     */
    static Optional<String> wrong(Path record, Path base, Path folder, Session session) {
        return IoErrors.call("read", record, () -> {
            Map<String, String> digests = Files.readString(record)
                    .lines()
                    .map(line -> line.split(",sha256=|,", -1))
                    .filter(fields -> fields.length == 3)
                    .collect(Collectors.toMap(fields -> fields[0], fields -> fields[1], (one, other) -> one));
            for (Path file : List.of(main(folder), folder.resolve(SHARED), folder.resolve(PROVIDER))) {
                String name = base.relativize(file).toString().replace('\\', '/');
                if (!Files.isRegularFile(file)
                        || !inRecord(Checksums.remembered(file, session.home())).equals(digests.get(name))) {
                    return Optional.of(file.toString());
                }
            }
            return Optional.empty();
        });
    }

    /** Returns the folder of the part of the jar for this system, unpacked once; the part itself is deleted then. */
    private static Optional<Path> ofMavenCentral(Session session, boolean fetches) {
        boolean isWindows = MAIN.endsWith(".dll");
        if (!System.getProperty("os.arch").equals("amd64") || !(isWindows || MAIN.endsWith(".so"))) {
            throw new PosbiasException("CUDA needs Linux or Windows on x86-64");
        }
        MavenJar part = MavenJar.pinned("onnxruntime-cuda").get(isWindows ? 1 : 0);
        Path folder = session.home().resolve("native").resolve(part.fileName().replaceFirst("\\.jar$", ""));
        Path record = folder.resolve(RECORD);
        if (Files.exists(record) && wrong(record, folder, folder, session).isEmpty()) {
            return Optional.of(folder);
        }
        if (!fetches) {
            return Optional.empty();
        }
        if (!isDriverSeen()) {
            throw new PosbiasException(
                    "CUDA does not work: this machine has no driver of NVIDIA, so that its library is not fetched");
        }
        Path jar = LibraryJars.fetch("ONNX Runtime for CUDA", List.of(part), session)
                .getFirst();
        unpack(jar, folder);
        Staging.delete(jar);
        return Optional.of(folder);
    }

    /** Unpacks the libraries, and then writes the list of their digests. */
    static void unpack(Path jar, Path folder) {
        IoErrors.run("write", folder, () -> {
            Files.createDirectories(folder);
            StringBuilder digests = new StringBuilder();
            try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
                    if (List.of(MAIN, SHARED, PROVIDER).contains(name)) {
                        Path file = folder.resolve(name);
                        Staging.replace(file, zip::transferTo);
                        digests.append(name + ",sha256=" + inRecord(Checksums.sha256(file)) + "," + Files.size(file))
                                .append('\n');
                    }
                }
            }
            Staging.replace(
                    folder.resolve(RECORD), out -> out.write(digests.toString().getBytes(StandardCharsets.UTF_8)));
        });
    }

    /** Returns a SHA-256 as a RECORD has it. */
    private static String inRecord(String hexadecimal) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(HexFormat.of().parseHex(hexadecimal));
    }

    /** The library: pip's has its version in its name. */
    private static Path main(Path folder) {
        Path versioned = folder.resolve(MAIN + "." + version());
        return Files.exists(versioned) ? versioned : folder.resolve(MAIN);
    }

    /** The provider, the largest of the libraries. */
    public Path provider() {
        return folder.resolve(PROVIDER);
    }

    /** Returns the major version of CUDA that the provider was built for; empty if it does not say. */
    public Optional<Integer> cuda() {
        return first(provider(), RUNTIME).map(Integer::valueOf);
    }

    /** Returns the first group, or else the whole, of the first place in a file of bytes that a pattern matches. */
    private static Optional<String> first(Path file, Pattern pattern) {
        return IoErrors.call("read", file, () -> {
            try (InputStream in = Files.newInputStream(file)) {
                String before = "";
                byte[] bytes = in.readNBytes(1 << 20);
                while (bytes.length > 0) {
                    String text = before + new String(bytes, StandardCharsets.ISO_8859_1);
                    Matcher found = pattern.matcher(text);
                    if (found.find()) {
                        return Optional.of(found.group(found.groupCount()));
                    }
                    before = text.substring(Math.max(0, text.length() - 100));
                    bytes = in.readNBytes(1 << 20);
                }
                return Optional.empty();
            }
        });
    }

    /**
     * Loads the libraries into this process, NVIDIA's first; of these, what Python's packages lack is left to the system.
     *
     * @param binding ONNX Runtime's library for Java
     * @throws PosbiasException if the driver is older than CUDA needs, or a library of ONNX Runtime is refused
     */
    public void load(Path binding) {
        Optional<Integer> cuda = cuda();
        Optional<Integer> driver = driver();
        int least = cuda.map(LEAST_DRIVER::get).orElse(0);
        if (driver.isPresent() && driver.get() < least) {
            throw new PosbiasException("the driver, version " + driver.get() + ", is older than CUDA " + cuda.get()
                    + " of " + folder + " needs (" + least + "): update it, or use CUDA 12 (docs/scale.md#cuda-12)");
        }
        nvidia(cuda).forEach(CudaLibraries::tried);
        try {
            System.load(main(folder).toString());
            System.load(binding.toString());
        } catch (UnsatisfiedLinkError refused) {
            throw new PosbiasException(
                    "ONNX Runtime's library for CUDA cannot be loaded: " + refused.getMessage(), refused);
        }
    }

    private static void tried(Path library) {
        try {
            System.load(library.toString());
        } catch (UnsatisfiedLinkError refused) {
            // The provider names what it misses.
            LoggerFactory.getLogger(CudaLibraries.class).debug("{}: {}", library, refused.getMessage());
        }
    }

    /** NVIDIA's libraries in Python's packages, in the order of loading. */
    private List<Path> nvidia(Optional<Integer> cuda) {
        List<Path> files = packages.stream()
                .flatMap(place -> inside(place.resolve("nvidia")))
                .filter(part ->
                        !String.valueOf(part.getFileName()).matches("cu\\d+") || part.endsWith("cu" + cuda.orElse(0)))
                .flatMap(part -> PLACES.stream().map(part::resolve))
                .flatMap(CudaLibraries::inside)
                .toList();
        return NVIDIA.stream()
                .flatMap(name -> files.stream().filter(file -> {
                    Matcher form = NVIDIA_FILE.matcher(String.valueOf(file.getFileName()));
                    return form.matches()
                            && form.group(1).equals(name)
                            && (!NUMBERED.contains(name) || form.group(2).startsWith("" + cuda.orElse(0)));
                }))
                .toList();
    }

    private static Stream<Path> inside(Path folder) {
        return Files.isDirectory(folder)
                ? IoErrors.call("read", folder, () -> FileNames.in(folder)).stream()
                : Stream.empty();
    }

    /** Returns the driver's first number where Linux says it. */
    private static Optional<Integer> driver() {
        try {
            Matcher number = Pattern.compile(" (\\d{3})\\.\\d+").matcher(Files.readString(OF_A_DRIVER.getFirst()));
            return number.find() ? Optional.of(Integer.valueOf(number.group(1))) : Optional.empty();
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /** Returns what is missing and how to get it, in a few words, for the provider's message. */
    public String advice(String message, Session session) {
        Optional<Integer> cuda = cuda();
        String version = cuda.map(number -> "CUDA " + number).orElse("CUDA");
        String needs = "which " + provider() + " needs";
        Matcher missing = Pattern.compile("(lib[\\w.+-]+\\.so[\\w.]*): cannot open|([\\w.+-]+\\.dll)")
                .matcher(message);
        String library = missing.find() ? missing.group().split(":", 2)[0] : "";
        boolean isDriver = library.contains("libcuda.so") || library.contains("nvcuda");
        if (isDriver || message.contains("driver version is insufficient")) {
            String least = cuda.map(LEAST_DRIVER::get)
                    .map(number -> " " + number + " or later")
                    .orElse("");
            return (isDriver ? library + " is missing, " + needs : "the driver is too old for " + provider())
                    + ": install NVIDIA's driver" + least + ", for " + version;
        }
        String install = cuda.equals(Optional.of(12)) ? SitePackages.python(session) + CUDA_12 : pip(session);
        return library.isEmpty() ? "" : library + " of " + version + " is missing, " + needs + ": " + install;
    }
}
