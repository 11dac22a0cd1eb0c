package io.homa.testing;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGenerator;

/// Puts the numbers of a test's items in front of its name: `item 45, 46: oldGrantBringsThePriority()`.
public final class ItemNames extends DisplayNameGenerator.Standard {
    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> type, Method method) {
        String name = super.generateDisplayNameForMethod(enclosing, type, method);
        Item item = method.getAnnotation(Item.class);
        return item == null
                ? name
                : "item "
                        + Arrays.stream(item.value())
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(", ", "", ": "))
                        + name;
    }
}
