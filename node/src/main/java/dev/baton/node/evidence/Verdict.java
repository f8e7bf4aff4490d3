package dev.baton.node.evidence;

import dev.baton.core.Holder;

/** What a probe says about a process whose connection closed: the rule of evidence. */
sealed interface Verdict {

    /** In words that go on after "its connection closed". */
    String why();

    /** There is evidence that the process is gone. */
    record Gone(String why) implements Verdict {}

    /** It has answered itself. */
    record Alive() implements Verdict {
        @Override
        public String why() {
            return "it answers";
        }
    }

    /** Nobody can tell, and so there is no evidence. */
    record Unknown(String why) implements Verdict {}

    static Verdict on(Holder holder, Finding finding) {
        return switch (finding) {
            case Finding.Refused() -> new Gone("a new one was refused");
            case Finding.Answered(Holder by) when by.equals(holder) -> new Alive();
            case Finding.Answered(Holder by)
            when by.node().equals(holder.node()) ->
                new Gone("a new one was answered by incarnation " + by.incarnation());
            case Finding.Answered(Holder by) -> new Unknown(by + " answers in its place");
            case Finding.Unclear(String why) -> new Unknown(why);
        };
    }
}
