package dev.baton.chaos.report;

import java.util.Locale;

/** The SVG of one panel as it grows, from top to bottom. */
final class Drawing {

    private final StringBuilder svg = new StringBuilder(16_384);
    private double height;

    double height() {
        return height;
    }

    /** Takes so much room below what is there, and returns where it begins. */
    double takeRoom(double more) {
        double top = height;
        height += more;
        return top;
    }

    void box(String css, double x, double y, double width, double tall, String title) {
        svg.append("<rect class=\"").append(css).append("\" x=\"").append(Html.pixels(x));
        svg.append("\" y=\"").append(Html.pixels(y)).append("\" width=\"");
        svg.append(Html.pixels(Math.max(width, 0.6)))
                .append("\" height=\"")
                .append(Html.pixels(tall))
                .append('"');
        if (title.isEmpty()) {
            svg.append("/>");
        } else {
            svg.append("><title>").append(Html.text(title)).append("</title></rect>");
        }
    }

    void text(String css, double x, double y, String words) {
        svg.append("<text");
        if (!css.isEmpty()) {
            svg.append(" class=\"").append(css).append('"');
        }
        svg.append(" x=\"")
                .append(Html.pixels(x))
                .append("\" y=\"")
                .append(Html.pixels(y))
                .append("\">");
        svg.append(Html.text(words)).append("</text>");
    }

    void path(String css, CharSequence path) {
        if (!path.isEmpty()) {
            svg.append("<path class=\"")
                    .append(css)
                    .append("\" d=\"")
                    .append(path)
                    .append("\"/>");
        }
    }

    void link(String target, Runnable inside) {
        svg.append("<a href=\"#").append(target).append("\">");
        inside.run();
        svg.append("</a>");
    }

    /** About how wide a text in the small size is; there is nothing here to measure it with. */
    static double widthOf(String words) {
        return words.length() * 5.6;
    }

    String finished(String label) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">",
                        Panel.WIDTH,
                        height,
                        Html.text(label))
                + svg + "</svg>";
    }
}
