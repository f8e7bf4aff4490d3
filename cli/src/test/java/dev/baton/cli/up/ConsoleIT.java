package dev.baton.cli.up;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.console.UpConsole;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The console of a real cluster, in a real browser. Pictures and figures are left in {@code target/console}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT {

    private static final Path KEPT = Path.of("target", "console");
    private static final double PATIENCE_MILLIS = RunningUp.PATIENCE.toMillis();

    private final NodeClient client = new NodeClient(Duration.ofSeconds(5));
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @SuppressWarnings("NullAway.Init") Path data;
    private @SuppressWarnings("NullAway.Init") Browser browser;
    private @SuppressWarnings("NullAway.Init") BrowserContext context;
    private @SuppressWarnings("NullAway.Init") Page page;
    private @SuppressWarnings("NullAway.Init") String url;
    private @SuppressWarnings("NullAway.Init") String token;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Files.createDirectories(KEPT);
        Files.deleteIfExists(KEPT.resolve("figures.txt"));
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        opened.push(playwright);
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium())
                        .setArgs(List.of("--no-sandbox")));
        data = folder.resolve("data");
        RunningUp up = RunningUp.start(data, "up", "--mempool", "--json", "--interval", "250ms");
        opened.push(up);
        up.awaitLine(line -> line.path("height").asLong() == 2);
        JsonNode told =
                Json.parse(Files.readString(data.resolve(UpConsole.FILE))).orElseThrow();
        url = told.path("url").asText();
        token = told.path("token").asText();
    }

    private static Path chromium() {
        String folders = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(folders.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "chromium"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "chromium is not installed (expected: the Debian package chromium; ./check installs it)"));
    }

    @AfterAll
    void stop() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @BeforeEach
    void openPage() {
        context = browser.newContext();
        page = context.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.navigate(url);
        soon(page.locator(".card[data-standing=LEADER]")).hasCount(1, count());
        soon(page.locator(".card[data-standing=FOLLOWER]")).hasCount(2, count());
    }

    @AfterEach
    void closePage() {
        context.close();
    }

    private static LocatorAssertions soon(Locator what) {
        return assertThat(what);
    }

    private static LocatorAssertions.HasCountOptions count() {
        return new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE_MILLIS);
    }

    private static LocatorAssertions.IsVisibleOptions visible() {
        return new LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE_MILLIS);
    }

    private static LocatorAssertions.HasTextOptions text() {
        return new LocatorAssertions.HasTextOptions().setTimeout(PATIENCE_MILLIS);
    }

    private static LocatorAssertions.ContainsTextOptions containing() {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS);
    }

    private static LocatorAssertions.HasAttributeOptions attribute() {
        return new LocatorAssertions.HasAttributeOptions().setTimeout(PATIENCE_MILLIS);
    }

    private String leader() {
        return page.locator(".card[data-standing=LEADER]").getAttribute("data-node");
    }

    private Locator card(String node) {
        return page.locator(".card[data-node=" + node + "]");
    }

    private URI http(String node) throws Exception {
        return URI.create("http://127.0.0.1:"
                + ClusterFile.read(data)
                        .orElseThrow()
                        .member(node)
                        .orElseThrow()
                        .ports()
                        .http());
    }

    private void keep(String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(KEPT.resolve(name + ".png"))
                .setFullPage(true));
    }

    private static void note(String figure) throws IOException {
        Files.writeString(
                KEPT.resolve("figures.txt"), figure + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void fillAction(String secret) {
        page.locator("#act input[name=reason]").fill("a rehearsal");
        if (page.locator("#act-token").isVisible()) {
            page.locator("#act input[name=token]").fill(secret);
        }
        page.locator("#act input[name=reason]").press("Enter");
    }

    @Test
    void thePageShowsTheLeaderItsLeaseAndItsBlocksAsTheyCome() throws Exception {
        String leader = leader();

        soon(page.locator("#summary")).containsText(leader + " leads blocks, epoch ", containing());
        soon(card(leader).locator(".ring text")).hasText(Pattern.compile("\\d\\.\\d s"), text());
        soon(card(leader).locator(".why")).containsText(leader + " leads.", containing());
        soon(page.locator("#link")).hasText("live", text());
        soon(page.locator("#terms tbody tr").first()).containsText(leader, containing());
        String first = page.locator("#ledger tbody tr").first().getAttribute("data-height");
        soon(page.locator("#ledger tbody tr").first()).not().hasAttribute("data-height", first, attribute());
        Object lag = page.evaluate("() => Number(document.documentElement.dataset.lagMillis)");
        note("newest block shown " + lag + " ms after it was made");
        keep("cluster");
    }

    /** By the browser's own clock. The first load of all also starts the browser's processes, which is not the page's doing. */
    @Test
    void thePageIsPaintedWithinASecond() throws Exception {
        double first = paintMillis();
        page.reload();
        soon(page.locator(".card[data-standing=LEADER]")).hasCount(1, count());
        double second = paintMillis();

        note("first contentful paint: " + first + " ms, on a second load " + second + " ms");
        assertThat(second).isBetween(1.0, 1000.0);
    }

    private double paintMillis() {
        page.waitForFunction("() => performance.getEntriesByName('first-contentful-paint').length > 0");
        Object paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime");
        return ((Number) paint).doubleValue();
    }

    @Test
    void theFollowersTheAuthorityAndTheChartsAreShown() {
        String leader = leader();
        String follower = page.locator(".card[data-standing=FOLLOWER]").first().getAttribute("data-node");

        soon(card(follower).locator(".why")).containsText(leader, containing());
        soon(card(follower).locator("[data-fact=lag]")).hasText(Pattern.compile("level|by [0-9,]+"), text());
        soon(page.locator("#authority-kind")).hasText("raft", text());
        soon(page.locator("#authority tbody tr")).hasCount(3, count());
        soon(page.locator("#authority tbody tr").first()).containsText(leader, containing());
        for (String chart : List.of("#throughput", "#latency", "#failover")) {
            soon(page.locator(chart + " svg")).isVisible(visible());
        }
        soon(page.locator("#throughput output")).hasText(Pattern.compile("[0-9.]+ blocks/s, [0-9.]+ tx/s"), text());
        soon(page.locator("#latency output")).containsText("median", containing());
        soon(page.locator("#timeline svg")).isVisible(visible());
    }

    @Test
    void aHeightOpensItsBlockAndFromThereItsParent() {
        page.locator("#search input").fill("2");
        page.locator("#search button").click();
        soon(page.locator("#detail-title")).hasText("Block 2", text());
        Locator facts = page.locator("#detail-body dd");
        soon(facts.nth(0)).hasText(Pattern.compile("[0-9a-f]{64}"), text());
        String parent = facts.nth(1).textContent();

        page.locator("#detail-body button").click();

        soon(page.locator("#detail-title")).hasText("Block 1", text());
        soon(facts.nth(0)).hasText(parent, text());
        soon(page.locator("#detail-body button")).hasCount(0, count());
    }

    /** Its connection stays, and the last that it said is that it leads. */
    @Test
    void aFrozenLeaderIsNotShownAsLeading() throws Exception {
        String frozen = leader();
        long pid = ClusterFile.read(data)
                .orElseThrow()
                .member(frozen)
                .orElseThrow()
                .pid();
        signal("STOP", pid);
        try {
            soon(card(frozen)).hasAttribute("data-standing", "DOWN", attribute());
            soon(card(frozen).locator(".why")).containsText("it says nothing for", containing());
            soon(page.locator(".card[data-standing=LEADER]")).hasCount(1, count());
        } finally {
            signal("CONT", pid);
        }
        soon(card(frozen)).hasAttribute("data-standing", Pattern.compile("FOLLOWER|LEADER"), attribute());
        soon(page.locator(".card[data-standing=FOLLOWER]")).hasCount(2, count());
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Another duty on another engine: what depends on neither is there as well. */
    @Test
    void tokensAndTheMembersOfEtcdAreShown(@TempDir Path folder) throws Exception {
        Path other = folder.resolve("data");
        try (RunningUp up = RunningUp.start(
                other, "up", "--duty", "tokens", "--authority", "etcd", "--json", "--interval", "250ms")) {
            up.awaitLine(line -> true);
            page.navigate(Json.parse(Files.readString(other.resolve(UpConsole.FILE)))
                    .orElseThrow()
                    .path("url")
                    .asText());

            soon(page.locator(".card[data-standing=LEADER]")).hasCount(1, count());
            soon(page.locator("#tokens tbody tr").first()).containsText("open", containing());
            soon(page.locator("#tokens thead")).containsText("Reserved", containing());
            soon(page.locator("#authority-kind")).hasText("etcd", text());
            soon(page.locator("#authority tbody tr")).hasCount(3, count());
            soon(page.locator("#authority tbody")).containsText("database", containing());
            for (int i = 0; i < 3; i++) {
                soon(page.locator("#authority tbody tr").nth(i)).containsText(leader(), containing());
            }
            soon(page.locator("#terms tbody tr").first()).containsText(leader(), containing());
            String entry = page.locator("#ledger tbody tr").first().getAttribute("data-height");
            page.locator("#search input").fill(entry);
            page.locator("#search button").click();
            soon(page.locator("#detail-body dd").first()).hasText(Pattern.compile("[0-9a-f]{64}"), text());
            page.locator("#detail form button").click();
            keep("tokens-on-etcd");
        }
    }

    @Test
    void aKilledLeaderIsShownWithinASecondOfTheClustersOwnChange() throws Exception {
        String killed = leader();
        // Watches the page itself: when another card leads, by the clock that the nodes use too.
        page.evaluate(
                "killed => { window.shownAt = new Promise(done => { const look = () => {"
                        + " const now = [...document.querySelectorAll('.card[data-standing=LEADER]')].find(c => c.dataset.node !== killed);"
                        + " if (now) done([now.dataset.node, Date.now()]); else requestAnimationFrame(look); }; look(); }); }",
                killed);

        RunningUp.ask(data, "crash", killed);

        List<?> shown = (List<?>) page.evaluate("() => window.shownAt");
        String successor = String.valueOf(shown.get(0));
        long openedAtMillis = 0;
        for (JsonNode passed : client.get(http(successor), "/milestones")
                .answer()
                .orElseThrow()
                .path("milestones")) {
            if (passed.path("milestone").asText().equals("OPENED")) {
                openedAtMillis = passed.path("atMicros").asLong() / 1000;
            }
        }
        long behindMillis = ((Number) shown.get(1)).longValue() - openedAtMillis;
        note("a new leader was shown " + behindMillis + " ms after its first block was committed");
        assertThat(behindMillis).isBetween(-50L, 1000L);
        soon(card(killed)).hasAttribute("data-standing", "FOLLOWER", attribute());
        soon(page.locator("#terms tbody tr").first()).containsText("detect", containing());
        keep("after-a-crash");
    }

    @Test
    void aHandoffFromThePageMovesTheSeatAndTheDialogEndsWhenThatIsSeenThoughNoAnswerComes() {
        page.route("**/console/actions", Route::fetch); // it is done, and its answer is kept from the page
        String target = page.locator(".card[data-standing=FOLLOWER]").first().getAttribute("data-node");

        Locator button = card(target).locator("[data-action=handoff]");
        soon(button).isEnabled(new LocatorAssertions.IsEnabledOptions().setTimeout(PATIENCE_MILLIS));
        button.press("Enter"); // by keyboard
        fillAction(token);

        soon(card(target)).hasAttribute("data-standing", "LEADER", attribute());
        soon(page.locator("#act")).isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(PATIENCE_MILLIS));
        assertThat(page.url()).as("no secret in the address").doesNotContain(token);
    }

    @Test
    void pauseAndResumeFromThePageWork() {
        String paused = page.locator(".card[data-standing=FOLLOWER]").last().getAttribute("data-node");

        card(paused).locator("[data-action=pause]").click();
        fillAction(token);
        soon(card(paused)).hasAttribute("data-standing", "PAUSED", attribute());
        soon(card(paused).locator(".why")).containsText("a rehearsal", containing());
        soon(page.locator("#audit tbody")).containsText("a rehearsal", containing());
        soon(page.locator("#alerts-section")).isVisible(visible());

        card(paused).locator("[data-action=resume]").click();
        fillAction(token);
        soon(card(paused)).hasAttribute("data-standing", "FOLLOWER", attribute());
    }

    @Test
    void aHostilePayloadIsShownAsText() throws Exception {
        String hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
        JsonNode receipt = client.post(
                        http(leader()), "/submit", hostile.getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(10))
                .answer()
                .orElseThrow();

        String hash = Hash.sha256(Bytes.utf8(hostile)).toString();
        page.locator("#search input").fill(hash.substring(0, 16));
        page.locator("#search button").click();

        soon(page.locator("#detail pre").first()).hasText(hostile, text());
        assertThat(page.locator("#detail img, #detail script").count()).isZero();
        assertThat(page.title()).isEqualTo("Baton console");
        soon(page.locator("#detail-title")).containsText(receipt.path("height").asText(), containing());
        page.locator("#detail button").last().click();
        page.locator("#search input").fill("0123456789abcdef");
        page.locator("#search button").click();
        soon(page.locator("#found")).hasText("no block or transaction that is kept has such a hash", text());
        keep("a-block");
    }

    @Test
    void aTransactionIsSeenToFlowThroughTheStagesOfTheMempool() throws Exception {
        soon(page.locator("#mempool-flow li")).hasCount(5, count());
        client.post(
                http(leader()),
                "/mempool/submit",
                "from the page's test".getBytes(StandardCharsets.UTF_8),
                Duration.ofSeconds(10));

        soon(page.locator("#mempool-flow li[data-stage=Ended] b")).not().hasText("0", text());
        soon(page.locator("#mempool-words")).containsText("watched by", containing());
        keep("mempool");
    }

    @Test
    void theSamePageLivesInFirefox(@TempDir Path folder) throws Exception {
        try (Firefox firefox = Firefox.start(folder)) {
            firefox.open(url);
            firefox.await("document.querySelectorAll('.card[data-standing=LEADER]').length === 1");
            firefox.await("document.querySelector('#link').textContent === 'live'");
            firefox.await("document.querySelectorAll('#ledger tbody tr').length > 1");
            firefox.await("document.querySelectorAll('#mempool-flow li').length === 5");
            firefox.screenshot(KEPT.resolve("firefox.png"));
        }
    }

    @Test
    void anActionWithoutTheTokenIsRefusedAndChangesNothing() throws Exception {
        String leader = leader();
        card(leader).locator("[data-action=crash]").click();
        fillAction("0123456789abcdef0123456789abcdef");

        soon(page.locator("#act-trouble")).containsText("expected: the token that baton up printed", containing());
        assertThat(leader()).isEqualTo(leader);
        HttpResponse<String> foreign = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url + "actions"))
                                .header("Content-Type", "application/json")
                                .header("X-Baton-Token", token)
                                .header("Origin", "http://evil.example")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"action\":\"crash\",\"node\":\"" + leader + "\",\"reason\":\"none\"}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(leader()).isEqualTo(leader);
    }

    @Test
    void aPageSaysThatItsSourceIsLostAndComesBackByItself() throws Exception {
        String watched = page.locator(".card[data-standing=FOLLOWER]").first().getAttribute("data-node");
        page.navigate(http(watched) + "/console/");
        soon(page.locator("#link")).hasText("live", text());
        assertThat(page.locator(".card[data-node=" + watched + "] [data-action=crash]")
                        .isVisible())
                .as("a node's own page acts on nothing")
                .isFalse();

        RunningUp.ask(data, "crash", watched);

        soon(page.locator("#link")).containsText("source lost for", containing());
        soon(page.locator("#link")).hasText("live", text());
        soon(card(watched)).hasAttribute("data-standing", Pattern.compile("FOLLOWER|LEADER"), attribute());
    }

    @Test
    void itFitsAPhoneInTheDark() {
        try (BrowserContext phone = browser.newContext(
                new Browser.NewContextOptions().setViewportSize(390, 800).setColorScheme(ColorScheme.DARK))) {
            page = phone.newPage();
            page.navigate(url);
            soon(page.locator(".card[data-standing=LEADER]")).hasCount(1, count());

            assertThat(page.evaluate(
                            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .as("pixels beyond the right edge")
                    .isEqualTo(0);
            keep("phone");
        }
    }
}
