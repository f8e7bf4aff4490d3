package dev.baton.chaos.report;

/**
 * One stretch of the run on the page: from when to when, and where that is on the drawing.
 *
 * <p>A run is drawn as several panels below each other, each of the same length, so that labels stay legible on a
 * screen and on paper without any zooming.
 */
record Panel(long fromNanos, long toNanos) {

    static final double WIDTH = 1200;
    static final double LEFT = 96;
    static final double RIGHT = 1192;

    double x(long nanos) {
        long inside = Math.max(fromNanos, Math.min(toNanos, nanos));
        return LEFT + (RIGHT - LEFT) * (inside - fromNanos) / (toNanos - fromNanos);
    }

    boolean shows(long from, long to) {
        return from < toNanos && to >= fromNanos;
    }

    boolean shows(long at) {
        return at >= fromNanos && at < toNanos;
    }
}
