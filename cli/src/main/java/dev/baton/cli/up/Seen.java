package dev.baton.cli.up;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Something that {@code up} saw from outside for the first time: a block, a token. */
interface Seen {

    /** For people. */
    String toLine();

    ObjectNode toJson();
}
