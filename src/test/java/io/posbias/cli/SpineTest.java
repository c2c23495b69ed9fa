package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that CONTRIBUTING.md tells a newcomer to read are short, and {@code eval} calls them in that order. */
class SpineTest {
    private static final int MOST_FILES = 15;
    private static final int MOST_LINES = 200;
    private static final int MOST_TOGETHER = 2_000;

    /** A row: number, file in the main source, method. */
    private static final Pattern ROW = Pattern.compile("\\| \\d+ \\| `([\\w/]+)` \\| `(\\w+)` \\|");

    @TempDir
    Path temp;

    private record Step(String file, String verb) {
        Path path() {
            return Path.of("src/main/java/io/posbias", file + ".java");
        }

        /** The methods of a loaded class that are this step: its own, or an implementation's. */
        Stream<Method> in(ReferenceType type) {
            String name = "io.posbias." + file.replace('/', '.');
            boolean isOne = type.name().equals(name)
                    || (type instanceof ClassType own
                            && own.allInterfaces().stream()
                                    .anyMatch(each -> each.name().equals(name)));
            return isOne
                    ? type.methodsByName(verb).stream().filter(method -> !method.isAbstract() && !method.isBridge())
                    : Stream.empty();
        }
    }

    private static List<Step> steps() throws IOException {
        return ROW.matcher(Files.readString(Path.of("CONTRIBUTING.md")))
                .results()
                .map(row -> new Step(row.group(1), row.group(2)))
                .toList();
    }

    @Test
    void theFilesAreFewAndShort() throws IOException {
        List<Step> steps = steps();
        assertThat(steps).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_FILES);
        int together = 0;
        for (Step step : steps) {
            int lines = Files.readAllLines(step.path()).size();
            assertThat(lines).as(step.file()).isLessThan(MOST_LINES);
            together += lines;
        }
        assertThat(together).isLessThanOrEqualTo(MOST_TOGETHER);
    }

    /** Read off a debugger: classes are loaded long before, for example for the defaults of options. */
    @Test
    void evalCallsThemInTheirOrder() throws Exception {
        List<Step> steps = steps();
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketListen"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("localAddress")).setValue("127.0.0.1");
        String address = connector.startListening(arguments);
        Child child = Child.start(
                temp,
                Map.of("JAVA_TOOL_OPTIONS", "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address),
                "eval --model bm25 --dataset demo --results results");
        List<Step> called = called(connector.accept(arguments), steps);
        connector.stopListening(arguments);
        assertThat(child.end().code()).isZero();
        assertThat(called).isEqualTo(steps);
    }

    /** Returns the steps in the order of their first calls. */
    private static List<Step> called(VirtualMachine machine, List<Step> steps) throws InterruptedException {
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter("io.posbias.*");
        prepared.enable();
        List<Step> called = new ArrayList<>();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent loaded) {
                        steps.forEach(step -> step.in(loaded.referenceType()).forEach(method -> stop(method, step)));
                    } else if (event instanceof BreakpointEvent reached) {
                        reached.request().disable();
                        Step step = (Step) reached.request().getProperty(Step.class);
                        if (!called.contains(step)) {
                            called.add(step);
                        }
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException ended) {
            return called;
        }
    }

    private static void stop(Method method, Step step) {
        BreakpointRequest request =
                method.virtualMachine().eventRequestManager().createBreakpointRequest(method.location());
        request.putProperty(Step.class, step);
        request.enable();
    }
}
