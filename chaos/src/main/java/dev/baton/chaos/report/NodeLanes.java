package dev.baton.chaos.report;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A lane per node: what it said of itself by colour, its epoch as text, the blocks that it made as ticks. */
final class NodeLanes {

    private static final double LANE = 24;
    private static final Set<String> KNOWN = Set.of("leader", "follower", "promoting", "fenced", "quiescing", "paused");

    /** A time in which a node's standing and epoch stayed the same. */
    private record Stay(String standing, long epoch, long fromNanos, long toNanos) {}

    private final Map<String, List<Stay>> stays = new LinkedHashMap<>();
    private final Map<String, List<Long>> made = new HashMap<>();

    NodeLanes(Account account) {
        account.setting().map(Setting::nodes).orElse(List.of()).forEach(node -> stays.put(node, new ArrayList<>()));
        for (Event.Sampled each : account.samples()) {
            extend(stays.computeIfAbsent(each.node(), node -> new ArrayList<>()), each);
        }
        long height = 0;
        for (Event.BlockSeen each : account.blocks()) {
            if (each.block().height() > height) {
                height = each.block().height();
                made.computeIfAbsent(each.block().producer(), p -> new ArrayList<>())
                        .add(each.atNanos());
            }
        }
    }

    /** A sample holds until the next one; what lies between two that differ belongs to the first. */
    private static void extend(List<Stay> lane, Event.Sampled sample) {
        String standing = sample.up() ? sample.standing() : "down";
        long epoch = sample.up() ? sample.epoch() : 0;
        if (!lane.isEmpty()) {
            Stay last = lane.remove(lane.size() - 1);
            lane.add(new Stay(last.standing(), last.epoch(), last.fromNanos(), sample.atNanos()));
            if (last.standing().equals(standing) && last.epoch() == epoch) {
                return;
            }
        }
        lane.add(new Stay(standing, epoch, sample.atNanos(), sample.atNanos()));
    }

    void draw(Drawing drawing, Panel panel) {
        stays.forEach((node, lane) -> {
            double y = drawing.takeRoom(LANE + 5);
            drawing.box("lane", Panel.LEFT, y, Panel.RIGHT - Panel.LEFT, LANE, "");
            drawing.text("name", Panel.LEFT - 10, y + 16, node);
            lane.stream()
                    .filter(each -> panel.shows(each.fromNanos(), each.toNanos()))
                    .forEach(each -> stay(drawing, panel, node, each, y));
            ticks(drawing, panel, node, y);
        });
        drawing.takeRoom(5);
    }

    private static void stay(Drawing drawing, Panel panel, String node, Stay stay, double y) {
        double x = panel.x(stay.fromNanos());
        double width = panel.x(stay.toNanos()) - x;
        String css = KNOWN.contains(stay.standing()) || stay.standing().equals("down") ? stay.standing() : "follower";
        String epoch = stay.epoch() > 0 ? "epoch " + stay.epoch() : "";
        String title = node + ": " + stay.standing() + (epoch.isEmpty() ? "" : ", " + epoch) + ", from "
                + Html.moment(stay.fromNanos()) + " for " + Html.duration(stay.toNanos() - stay.fromNanos());
        drawing.box("s-" + css, x, y, width, LANE, title);
        if (css.equals("leader")) {
            String brief = Long.toString(stay.epoch());
            String label = Drawing.widthOf(epoch) < width - 6 ? epoch : Drawing.widthOf(brief) < width - 4 ? brief : "";
            drawing.text("on-leader", x + 5, y + 12, label);
        } else if (Drawing.widthOf(stay.standing()) < width - 8 && !css.equals("follower")) {
            drawing.text(css.equals("down") ? "on-follower" : "on-bright", x + 5, y + 16, stay.standing());
        }
    }

    private void ticks(Drawing drawing, Panel panel, String node, double y) {
        StringBuilder path = new StringBuilder();
        double last = -1;
        for (long at : made.getOrDefault(node, List.of())) {
            double x = panel.x(at);
            if (panel.shows(at) && x - last >= 0.8) {
                path.append('M')
                        .append(Html.pixels(x))
                        .append(' ')
                        .append(Html.pixels(y + LANE - 7))
                        .append("v6");
                last = x;
            }
        }
        drawing.path("made", path);
    }
}
