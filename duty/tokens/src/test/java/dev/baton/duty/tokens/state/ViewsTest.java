package dev.baton.duty.tokens.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Height;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceView;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ViewsTest {

    private final TokenState state = new TokenState();

    private void add(String name) {
        state.add(new Namespace(
                new Shape(state.namespaceCount(), name, Guarantee.STRICT, 1, 1, 1_000_000, 100, new Height(1), 0)));
    }

    private static List<String> names(List<NamespaceView> views) {
        return views.stream().map(NamespaceView::name).toList();
    }

    @Test
    void namespacesAreListedByNameAndNoMoreThanAskedFor() {
        List.of("orders", "invoices", "orders-eu", "vouchers", "order").forEach(this::add);

        assertThat(names(state.views(""))).containsExactly("invoices", "order", "orders", "orders-eu", "vouchers");
        assertThat(names(state.views("orders"))).containsExactly("orders", "orders-eu");
        assertThat(names(state.views("order", 2))).containsExactly("order", "orders");
        assertThat(state.views("x")).isEmpty();
    }

    /** Whoever looks keeps commits waiting meanwhile. Measured in memory, since a machine may be slow at any time. */
    @Test
    void aFewOfVeryManyCostNoMoreThanAFew() {
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            add("namespace-" + (count - 1 - i));
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThat(state.views("", 10)).hasSize(10); // loads what is needed

        long before = threads.getCurrentThreadAllocatedBytes();
        List<NamespaceView> first = state.views("", 10);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(first.getFirst().name()).isEqualTo("namespace-0");
        assertThat(bytes).as("a list of all of them would take 4 each at least").isLessThan(count);
    }
}
