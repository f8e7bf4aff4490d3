package dev.baton.core;

/** Why a candidate believes that it may take the seat now. Safety never rests on it; only the epoch decides. */
public sealed interface Claim {

    /** The seat is free, or its lease has run out. */
    record Vacancy() implements Claim {}

    /** The process that holds exactly this term is gone, by the rules of evidence. */
    record Evidence(Term of) implements Claim {}

    /** The holder hands the seat over. */
    record ByTicket(Ticket ticket) implements Claim {}

    /** How the predecessor's term ends if this claim succeeds and the engine knows nothing better. */
    default Ending endingOfPredecessor() {
        return switch (this) {
            case Vacancy() -> Ending.LAPSED;
            case Evidence(Term ignored) -> Ending.REPLACED;
            case ByTicket(Ticket ignored) -> Ending.HANDED_OFF;
        };
    }
}
