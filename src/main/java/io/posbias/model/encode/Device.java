package io.posbias.model.encode;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device that graphs run on.
 *
 * @param index of the GPU, from 0; 0 for the CPU
 */
public record Device(DeviceKind kind, int index) {
    public static final Device CPU = new Device(DeviceKind.CPU, 0);

    private static final Pattern FORM = Pattern.compile("(cpu|auto|cuda)(?::(\\d{1,3}))?");

    /** Values of {@code --device}. */
    public enum DeviceKind {
        CPU,
        /** An NVIDIA GPU, required. */
        CUDA,
        /** CUDA where it works, else the CPU. */
        AUTO
    }

    /**
     * Reads {@code cpu}, {@code cuda}, {@code cuda:1} or {@code auto}.
     *
     * @throws UsageException if it is none of these
     */
    public static Device parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches() || (form.group(2) != null && !form.group(1).equals("cuda"))) {
            throw new UsageException("unknown device " + Printable.quoted(text) + ": it is cpu, cuda, cuda:N or auto");
        }
        DeviceKind kind = DeviceKind.valueOf(form.group(1).toUpperCase(Locale.ROOT));
        return new Device(kind, form.group(2) == null ? 0 : Integer.parseInt(form.group(2)));
    }

    public boolean isCuda() {
        return kind == DeviceKind.CUDA;
    }

    @Override
    public String toString() {
        String name = Suggestions.word(kind);
        return isCuda() && index > 0 ? name + ":" + index : name;
    }
}
