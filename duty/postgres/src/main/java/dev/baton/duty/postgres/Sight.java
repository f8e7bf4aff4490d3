package dev.baton.duty.postgres;

/** What is known of this node's server: written by the keeper's thread, read by all. */
final class Sight {

    private volatile View view = View.NOTHING;
    private volatile String systemId = "";

    View view() {
        return view;
    }

    /** PostgreSQL's name of the data here; empty while there are none. */
    String systemId() {
        return systemId;
    }

    void knows(String foundSystemId) {
        systemId = foundSystemId;
    }

    void sees(Database.Look look, String note) {
        int timeline = Math.max(look.timeline(), view.timeline());
        view = new View(true, look.standby(), timeline, look.position(), look.streaming(), note);
    }

    void notes(String what) {
        view = view.noting(what);
    }

    void silent(String what) {
        view = view.silent(what);
    }

    /** What was known of the data is no longer true. */
    void forgets() {
        view = View.NOTHING;
    }
}
