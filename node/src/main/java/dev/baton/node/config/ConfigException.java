package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration was refused; all that is wrong with it is told at once. */
public final class ConfigException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    public ConfigException(String source, List<Fault> faults) {
        super(faults.stream()
                .map(Fault::toString)
                .collect(Collectors.joining("\n  ", source + ": " + faults.size() + " faults\n  ", "")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
