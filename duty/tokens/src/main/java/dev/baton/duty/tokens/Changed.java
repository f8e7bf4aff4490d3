package dev.baton.duty.tokens;

import dev.baton.core.Height;
import java.util.List;
import java.util.Optional;

/** What came of creating or freezing a namespace. */
public sealed interface Changed {

    /** It is committed, or was so already. */
    record Done(List<NamespaceView> namespaces, Height height) implements Changed {
        public Done {
            namespaces = List.copyOf(namespaces);
        }
    }

    record Refused(Refusal reason, String message) implements Changed {}

    /** As with {@link Answer.NotHolder}. */
    record NotHolder(Optional<String> address) implements Changed {}

    /** The term ended before the commit was known; asking again is safe. */
    record Unknown(String why, Optional<String> address) implements Changed {}
}
