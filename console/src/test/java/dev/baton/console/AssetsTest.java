package dev.baton.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssetsTest {

    private static String text(String name) {
        return Assets.find(name).orElseThrow().content().toUtf8();
    }

    @Test
    void theWholePageIsSmall() {
        assertThat(Assets.totalBytes()).isBetween(10_000, 300_000);
    }

    @Test
    void aNameThatIsNoAssetIsNotLookedFor() {
        assertThat(Assets.find("../console/Feed.class")).isEmpty();
        assertThat(Assets.find("package-info.class")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "console.css", "console.js", "picture.js", "charts.js", "duties.js", "dom.js"})
    void nothingIsLoadedFromElsewhere(String name) {
        assertThat(text(name).replace("http://www.w3.org/2000/svg", "")).doesNotContain("http://", "https://", "//cdn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"console.js", "picture.js", "charts.js", "duties.js", "dom.js"})
    void nothingThatWasReceivedIsEverReadAsMarkup(String name) {
        assertThat(text(name))
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }

    @Test
    void thePageRunsNothingInline() {
        assertThat(text("")).doesNotContain("style=", "onclick", "<style").doesNotContainPattern("<script[^>]*>[^<]");
        assertThat(Assets.find("").orElseThrow().headers().get("Content-Security-Policy"))
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
    }
}
