package dev.baton.bench.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SightingsTest {

    private final Sightings sightings = new Sightings();

    private void took(String server, int timeline, long begunNanos, long answeredNanos) {
        sightings.add(new Sightings.Taken(server, timeline, begunNanos, answeredNanos));
    }

    @Test
    void primariesThatFollowEachOtherDoNotOverlap() {
        took("n1", 1, 0, 10);
        took("n2", 2, 20, 30);
        took("n1", 3, 40, 50);
        assertThat(sightings.twoPrimariesNanos()).isZero();
    }

    @Test
    void aWriteThatIsTakenOnAnEarlierTimelineAfterOneOnALaterIsASecondPrimarys() {
        took("n1", 1, 0, 10);
        took("n2", 2, 20, 30);
        took("n1", 1, 130, 140);
        assertThat(sightings.twoPrimariesNanos()).isEqualTo(100);
    }

    @Test
    void writesWhoseOrderNobodyCanTellProveNothing() {
        took("n2", 2, 20, 30);
        took("n1", 1, 25, 140);
        assertThat(sightings.twoPrimariesNanos()).isZero();
    }

    @Test
    void twoHistoriesOfOneNumberAreTwoPrimaries() {
        took("n1", 2, 20, 30);
        took("n2", 2, 50, 60);
        assertThat(sightings.twoPrimariesNanos()).isEqualTo(30);
    }
}
