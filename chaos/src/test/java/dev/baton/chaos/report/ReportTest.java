package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.chaos.SyntheticRun;
import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Judgement.Verdict;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {

    /** Three nodes, a minute, forty faults, five thousand operations. */
    static final List<Event> LARGE = SyntheticRun.events(11, Duration.ofSeconds(60), 40, 5_000);

    @TempDir
    Path folder;

    /** The large run with a fork that one reader saw and an acknowledged transaction that is nowhere. */
    static List<Event> broken() {
        List<Event> events = new ArrayList<>(LARGE);
        Event.BlockSeen seen = LARGE.stream()
                .filter(Event.BlockSeen.class::isInstance)
                .map(Event.BlockSeen.class::cast)
                .filter(each -> each.atNanos() > 20_000_000_000L)
                .findFirst()
                .orElseThrow();
        Held block = seen.block();
        events.add(new Event.BlockSeen(
                seen.atNanos(),
                "reader-n2",
                "n2",
                new Held(block.height(), "b0rk3d", block.parent(), block.epoch(), block.producer(), 0, List.of())));
        events.add(new Event.Invoked(41_000_000_000L, 99_999, "c3", "n1", new Request.Submit("tx-lost")));
        events.add(new Event.Answered(
                41_030_000_000L, 99_999, new Answer.Included(block.height() + 60, 3_000, "b-gone", false)));
        return events;
    }

    private Path write(List<Event> events) throws IOException {
        Account account = Account.of(events);
        return Report.write(folder, account, Judge.judge(account, Bounds.usual()));
    }

    private static Document parsed(Path page) throws Exception {
        String html = Files.readString(page).replace("<!DOCTYPE html>", "");
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aLargeRunIsOneWellFormedPageOfModestSize() throws Exception {
        Path page = write(LARGE);
        assertThat(Files.size(page)).isLessThan(3_000_000);
        Document document = parsed(page);
        assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(2);
        String text = document.getDocumentElement().getTextContent();
        assertThat(text).contains("PASS", "Nothing was lost", "seed 11", "4f2c9e1", "./baton chaos --authority redis");
        assertThat(text).contains("n1", "n2", "n3", "latency", "epoch 1");
    }

    @Test
    void aPageNeedsNothingFromOutside() throws IOException {
        String html = Files.readString(write(broken()));
        assertThat(html.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http:", "https:", "//", "src=", "@import", "url(", "<script", "<link");
    }

    @Test
    void everyFaultIsABandAndARow() throws Exception {
        Document document = parsed(write(LARGE));
        Set<String> ids = ids(document);
        long faults = LARGE.stream().filter(Event.FaultBegan.class::isInstance).count();
        assertThat(faults).isGreaterThanOrEqualTo(40);
        Set<String> bands = new HashSet<>();
        NodeList links = document.getElementsByTagName("a");
        for (int i = 0; i < links.getLength(); i++) {
            bands.add(((Element) links.item(i)).getAttribute("href"));
        }
        for (int fault = 1; fault <= faults; fault++) {
            assertThat(ids).contains("fault-" + fault);
            assertThat(bands).contains("#fault-" + fault);
        }
    }

    private static Set<String> ids(Document document) {
        Set<String> ids = new HashSet<>();
        NodeList all = document.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            String id = ((Element) all.item(i)).getAttribute("id");
            if (!id.isEmpty()) {
                assertThat(ids.add(id)).as("id %s once", id).isTrue();
            }
        }
        return ids;
    }

    @Test
    void aViolationIsOnTopAndMarkedOnTheTimelineWithALink() throws Exception {
        Path page = write(broken());
        String html = Files.readString(page);
        assertThat(html.indexOf("What was found")).isLessThan(html.indexOf("What happened"));
        assertThat(html).contains("✕ FAIL", "b0rk3d", "tx-lost", "rules were broken");
        Set<String> ids = ids(parsed(page));
        Matcher links = Pattern.compile("href=\"#([^\"]+)\"").matcher(html);
        Set<String> targets = new HashSet<>();
        while (links.find()) {
            targets.add(links.group(1));
        }
        assertThat(ids).containsAll(targets);
        assertThat(targets).contains("violation-1");
    }

    @Test
    void theTwinAndTheLastLineSayTheSameAsTheJudge() throws IOException {
        Account account = Account.of(broken());
        Judgement judgement = Judge.judge(account, Bounds.usual());
        Report.write(folder, account, judgement);
        JsonNode twin = new ObjectMapper().readTree(Files.readString(folder.resolve("report.json")));
        JsonNode line = new ObjectMapper().readTree(VerdictLine.of(account, judgement));
        assertThat(VerdictLine.of(account, judgement)).doesNotContain("\n");
        for (JsonNode each : List.of(twin, line)) {
            assertThat(each.get("verdict").asText()).isEqualTo("FAIL");
            assertThat(each.get("seed").asLong()).isEqualTo(11);
            assertThat(each.get("faults").asLong()).isEqualTo(judgement.faults());
            assertThat(each.get("commits").asLong()).isEqualTo(judgement.commits());
            assertThat(each.get("violations")).hasSameSizeAs(judgement.violations());
            assertThat(each.get("failoverMillis"))
                    .hasSameSizeAs(judgement.failovers().keySet());
        }
        assertThat(twin.get("faultList")).hasSameSizeAs(account.faults());
        assertThat(twin.get("run").get("command").asText()).startsWith("./baton chaos");
    }

    @Test
    void howHardItWasPressedIsToldInBothAndNotInTheLastLine() throws IOException {
        Account account = Account.of(LARGE);
        Judgement judgement = Judge.judge(account, Bounds.usual());
        assertThat(judgement.pressure().mostAtOnce()).isBetween(2, 20);
        String page = Files.readString(Report.write(folder, account, judgement));
        JsonNode twin = new ObjectMapper().readTree(Files.readString(folder.resolve("report.json")));

        assertThat(twin.get("mostAtOnce").asInt())
                .isEqualTo(judgement.pressure().mostAtOnce());
        assertThat(twin.get("faultsPerMinute").asDouble()).isEqualTo((double) judgement.faults());
        assertThat(page)
                .contains("<b>" + judgement.faults() + ".0</b><span>faults a minute")
                .contains("up to " + judgement.pressure().mostAtOnce() + " kinds at once");
        assertThat(VerdictLine.of(account, judgement)).doesNotContain("mostAtOnce", "faultsPerMinute");
    }

    @Test
    void aFaultThatCouldNotBeDoneIsListedWithTheReason() throws IOException {
        List<Event> events = new ArrayList<>(LARGE);
        events.removeIf(event -> (event instanceof Event.FaultBegan began && began.fault() == 3)
                || (event instanceof Event.FaultEnded ended && ended.fault() == 3));
        events.add(new Event.FaultFailed(6_000_000_000L, 3, "nobody leads"));
        String page = Files.readString(write(events));
        JsonNode twin = new ObjectMapper().readTree(Files.readString(folder.resolve("report.json")));

        assertThat(page).containsPattern("<span id=\"fault-3\">3</span></td>.*not done.*nobody leads");
        assertThat(twin.get("faultsNotDone")).singleElement().satisfies(each -> {
            assertThat(each.get("id").asInt()).isEqualTo(3);
            assertThat(each.get("why").asText()).isEqualTo("nobody leads");
        });
    }

    @Test
    void whatIsFoundAfterTheEndIsFlaggedAtTheEnd() throws IOException {
        List<Event> events = new ArrayList<>(LARGE);
        events.removeIf(event ->
                event instanceof Event.FinalStore store && store.source().equals("n1"));
        Judgement judgement = Judge.judge(events, Bounds.usual());
        assertThat(judgement.violations())
                .singleElement()
                .satisfies(each -> assertThat(each.atNanos()).isGreaterThan(60_000_000_000L));
        assertThat(Files.readString(write(events))).containsOnlyOnce("<a href=\"#violation-1\">");
    }

    @Test
    void rowsOfADatabaseAreTicksToo() throws IOException {
        List<Event> events = List.of(
                new Event.Invoked(1_000_000_000L, 1, "c1", "n1", new Request.Write("row")),
                new Event.Answered(1_100_000_000L, 1, new Answer.Written("n1", 1)));
        assertThat(Files.readString(write(events))).contains("<path class=\"tick\"");
    }

    @Test
    void theLastLineHasTheAgreedShape() {
        Account account = Account.of(List.of());
        assertThat(VerdictLine.of(account, Judge.judge(account, Bounds.usual())))
                .isEqualTo("{\"verdict\":\"UNKNOWN\",\"seed\":0,\"faults\":0,\"commits\":0,\"violations\":[],"
                        + "\"failoverMillis\":{}}");
    }

    @Test
    void aKilledRunIsReportedAsFarAsItGot() throws Exception {
        List<Event> half =
                LARGE.stream().filter(each -> each.atNanos() < 31_000_000_000L).toList();
        Judgement judgement = Judge.judge(half, Bounds.usual());
        assertThat(judgement.verdict()).isNotEqualTo(Verdict.PASS);
        assertThat(parsed(write(half)).getDocumentElement().getTextContent()).contains("did not come to its end");
        assertThat(parsed(write(List.of())).getDocumentElement().getTextContent())
                .contains("UNKNOWN");
    }

    @Test
    void namesAndMessagesCannotBreakThePage() throws Exception {
        List<Event> events = new ArrayList<>(LARGE);
        String nasty = "</title><script>alert(\"1\")</script> & 'x' \u0000\u0007";
        events.add(new Event.FaultFailed(5_000_000_000L, 1, nasty));
        events.add(new Event.Sampled(5_000_000_000L, "<n4>", nasty, 1, 1, true));
        Path page = write(events);
        assertThat(Files.readString(page)).doesNotContain("<script");
        assertThat(parsed(page).getDocumentElement().getTextContent()).contains("<n4>");
    }

    @Test
    void aRunOfHoursStaysReadable() throws Exception {
        Path page = write(SyntheticRun.events(3, Duration.ofHours(1), 20, 60_000));
        assertThat(Files.size(page)).isLessThan(6_000_000);
        assertThat(parsed(page).getElementsByTagName("svg").getLength()).isBetween(4, 12);
    }
}
