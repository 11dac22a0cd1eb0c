package io.homa.scenario;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// A map of a YAML file whose values know their line. Keys that nobody has asked for are errors, see [#end].
final class YamlMap {
    private final String file;
    private final int line;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    private YamlMap(String file, Node node) {
        this.file = file;
        line = lineOf(node);
        if (!(node instanceof MappingNode map)) {
            throw new ScenarioException(file, line, "expected keys with values, such as 'name: incast'");
        }
        for (NodeTuple tuple : map.getValue()) {
            String key = ((ScalarNode) tuple.getKeyNode()).getValue();
            if (values.put(key, tuple.getValueNode()) != null) {
                throw new ScenarioException(file, lineOf(tuple.getKeyNode()), "'" + key + "' is there twice");
            }
        }
    }

    /// Returns the map that a file is.
    ///
    /// @throws ScenarioException if it is something else
    static YamlMap parse(String file, String text) {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root == null) {
                throw new ScenarioException(file, 1, "the file is empty");
            }
            return new YamlMap(file, root);
        } catch (MarkedYAMLException e) {
            int at = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new ScenarioException(file, at, "not YAML: " + e.getProblem());
        }
    }

    private static int lineOf(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    boolean has(String key) {
        known.add(key);
        return values.containsKey(key);
    }

    /// Returns the line of a value, or of the map if it has no such key.
    int line(String key) {
        Node node = values.get(key);
        return node == null ? line : lineOf(node);
    }

    ScenarioException wrong(String key, String message) {
        return new ScenarioException(file, line(key), key + ": " + message);
    }

    @Nullable
    String optional(String key) {
        known.add(key);
        Node node = values.get(key);
        if (node == null) {
            return null;
        }
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(key, "expected one value");
        }
        return scalar.getValue();
    }

    /// Returns what `reader` makes of a value, whose complaint gets file and line.
    <T> T get(String key, @Nullable String byDefault, Function<String, T> reader) {
        String text = optional(key);
        String value = text == null ? byDefault : text;
        if (value == null) {
            throw new ScenarioException(file, line, "'" + key + "' is missing");
        }
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw wrong(key, String.valueOf(e.getMessage()));
        }
    }

    String text(String key, @Nullable String byDefault) {
        return get(key, byDefault, value -> value);
    }

    int integer(String key, @Nullable String byDefault, int low, int high) {
        return get(key, byDefault, text -> {
            String allowed = "'" + text + "' is wrong; allowed are " + low + " to " + high;
            if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException(allowed);
            }
            int value = Integer.parseInt(text);
            if (value < low || value > high) {
                throw new IllegalArgumentException(allowed);
            }
            return value;
        });
    }

    double number(String key, @Nullable String byDefault) {
        return get(key, byDefault, text -> {
            if (!text.matches("[0-9]{1,15}(\\.[0-9]{1,15})?")) {
                throw new IllegalArgumentException("'" + text + "' is wrong; allowed is a number, such as 4.0");
            }
            return Double.parseDouble(text);
        });
    }

    String oneOf(String key, @Nullable String byDefault, List<String> allowed) {
        return get(key, byDefault, text -> {
            if (!allowed.contains(text)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is wrong; allowed are " + String.join(", ", allowed));
            }
            return text;
        });
    }

    /// Returns hosts: all, one, or a range such as `1-64`.
    int[] hosts(String key, @Nullable String byDefault, int hosts) {
        return get(key, byDefault, text -> {
            if (text.equals("all")) {
                return range(0, hosts - 1);
            }
            if (!text.matches("[0-9]{1,6}(-[0-9]{1,6})?")) {
                throw new IllegalArgumentException(
                        "'" + text + "' is wrong; allowed are all, a host such as 0, or a" + " range such as 1-64");
            }
            String[] ends = text.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (first > last || last >= hosts) {
                throw new IllegalArgumentException("'" + text + "' is out of range; hosts are 0 to " + (hosts - 1));
            }
            return range(first, last);
        });
    }

    private static int[] range(int first, int last) {
        int[] all = new int[last - first + 1];
        for (int i = 0; i < all.length; i++) {
            all[i] = first + i;
        }
        return all;
    }

    /// Returns the map below a key; null if there is none.
    @Nullable
    YamlMap map(String key) {
        known.add(key);
        Node node = values.get(key);
        return node == null ? null : new YamlMap(file, node);
    }

    /// Returns the list of maps below a key, empty if there is none.
    List<YamlMap> list(String key) {
        known.add(key);
        Node node = values.get(key);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong(key, "expected a list: lines that begin with '- '");
        }
        List<YamlMap> all = new ArrayList<>();
        sequence.getValue().forEach(item -> all.add(new YamlMap(file, item)));
        return all;
    }

    /// Everything has been asked for.
    ///
    /// @throws ScenarioException if the file has more
    void end() {
        for (Map.Entry<String, Node> entry : values.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw new ScenarioException(
                        file,
                        lineOf(entry.getValue()),
                        "unknown key '" + entry.getKey() + "'; allowed are " + String.join(", ", known));
            }
        }
    }
}
