package io.homa.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// The names under which tools show the tests.
class ItemNamesTest {
    @Test
    void numbersOfItemsComeFirst() throws ReflectiveOperationException {
        Class<?> type = Class.forName("io.homa.engine.SenderConformanceTest");
        Method method = type.getDeclaredMethod("oldGrantBringsThePriorityAndALargeOneIsClipped");
        String name = new ItemNames().generateDisplayNameForMethod(List.of(), type, method);
        assertEquals("item 45, 46: oldGrantBringsThePriorityAndALargeOneIsClipped()", name);
    }

    @Test
    void otherTestsKeepTheirNames(TestInfo info) {
        assertEquals("otherTestsKeepTheirNames(TestInfo)", info.getDisplayName());
    }
}
