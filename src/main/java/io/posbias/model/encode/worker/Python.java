package io.posbias.model.encode.worker;

import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.fetch.jars.SitePackages;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The Python that runs posbias's own worker: that of the variable POSBIAS_PYTHON, {@code python3} without it. */
public final class Python {
    private static final List<String> NEEDED = List.of("torch", "transformers", "sentence-transformers");

    private Python() {}

    /**
     * Returns the versions of Python and of the libraries that the worker uses, as one text. No library is loaded.
     *
     * @throws PosbiasException what to install, in one line
     */
    public static String versions(Session session) {
        String python = SitePackages.python(session);
        try (Staging scratch = Staging.temporary("worker", session.shutdown())) {
            String script = WorkerSettings.unpacked(scratch.folder()).toString();
            return checked(python, SitePackages.printed(session, script, "--versions"));
        } catch (IOException missing) {
            throw new PosbiasException(
                    "looking into a model needs Python with sentence-transformers, and " + python
                            + " cannot be started: install it, or name another in POSBIAS_PYTHON (docs/worker.md)",
                    missing);
        }
    }

    private static String checked(String python, String out) {
        JsonNode said = parsed(out);
        if (!said.path("versions").isObject()) {
            throw new PosbiasException("looking into a model needs Python 3.10 with sentence-transformers, and "
                    + python + " does not run posbias's worker: it printed " + Printable.quoted(out.strip()));
        }
        for (String library : NEEDED) {
            if (!said.path("versions").path(library).isString()) {
                throw new PosbiasException("looking into a model needs " + library + ", which " + python + " lacks: "
                        + python + " -m pip install sentence-transformers");
            }
        }
        return said.toString();
    }

    private static JsonNode parsed(String out) {
        try {
            return Json.mapper().readTree(out);
        } catch (JacksonException none) {
            return Json.mapper().createObjectNode();
        }
    }
}
