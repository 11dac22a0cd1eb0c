package io.homa.fabric;

/// Where a switch port is.
public enum PortLevel {
    TO_HOST("top of rack to host"),
    TO_SPINE("top of rack to spine"),
    TO_RACK("spine to top of rack");

    private final String label;

    PortLevel(String label) {
        this.label = label;
    }

    /// Returns the name for people.
    public String label() {
        return label;
    }
}
