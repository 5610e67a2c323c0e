// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.MediumChoice;
import io.nvcache.report.chart.Markup;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YcsbReportTest {
  private static final Map<String, String> ASKED = Map.of("--records", "1000");

  @Test
  void shouldShowEveryPolicyAndItsFigures() throws Exception {
    String page = YcsbReport.of(SampleResults.onDisk(), ASKED, "today");

    assertThat(page)
        .contains(
            "<td>" + PolicyChoice.NONE.label() + "</td><td>1.00 ×</td><td>–</td><td>120 µs</td>")
        .contains(
            "<td>"
                + PolicyChoice.PAPER.label()
                + "</td><td>1.44 ×</td><td>1.44–1.44</td><td>83 µs</td>")
        .contains("<dd>" + Markup.escape(PolicyChoice.PAPER.explanation()) + "</dd>");
  }

  @Test
  void shouldDrawThreeCurvesForEachWorkload() throws Exception {
    String page = YcsbReport.of(SampleResults.onDisk(), ASKED, "today");

    assertThat(page.split("<svg", -1)).hasSize(1 + 3);
  }

  @Test
  void shouldHoldEverythingItShows() throws Exception {
    String page = YcsbReport.of(SampleResults.onDisk(), ASKED, "today");

    assertThat(page).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(page).doesNotContain("<script").doesNotContain("<link").doesNotContain("src=");
    assertThat(page).doesNotContain("{{").doesNotContain("}}");
  }

  @Test
  void shouldEscapeTexts() throws Exception {
    DirectIoStatus refused =
        new DirectIoStatus(DirectIoStatus.Mode.REFUSED, "<b>\"no\"</b> & {{title}}");

    String page =
        YcsbReport.of(SampleResults.on(MediumChoice.NATIVE, refused), ASKED, "<i>now</i>");

    assertThat(page)
        .contains("&lt;b&gt;&quot;no&quot;&lt;/b&gt; &amp; {{title}}")
        .contains("&lt;i&gt;now&lt;/i&gt;")
        .doesNotContain("<i>now")
        .doesNotContain("<b>");
  }

  @Test
  void shouldSayThatDirectIoWasRefused() throws Exception {
    DirectIoStatus refused = new DirectIoStatus(DirectIoStatus.Mode.REFUSED, "tmpfs");

    assertThat(YcsbReport.of(SampleResults.on(MediumChoice.NATIVE, refused), ASKED, "now"))
        .contains("DIRECT I/O WAS REFUSED (tmpfs)");
    assertThat(YcsbReport.of(SampleResults.onDisk(), ASKED, "now")).doesNotContain("REFUSED");
  }

  @Test
  void shouldMarkRunsThatWereCutShort() throws Exception {
    assertThat(YcsbReport.of(SampleResults.flawed(0, 0, true), ASKED, "now"))
        .contains("<td>none (cut short)</td>")
        .contains("The benchmark was cut short");
  }

  @Test
  void shouldShoutAboutWrongValues() throws Exception {
    assertThat(YcsbReport.of(SampleResults.flawed(3, 0, false), ASKED, "now"))
        .contains("3 WRONG VALUES");
  }

  @Test
  void shouldSayThatNvramIsEmulatedWhereverItIsNamed() throws Exception {
    String page = YcsbReport.of(SampleResults.onDisk(), ASKED, "now");

    assertThat(page)
        .contains("<h1>YCSB C on emulated NVRAM</h1>")
        .contains("4 MiB of emulated NVRAM at 1.0 × the speed of the paper&#39;s</h2>")
        .contains("The NVRAM is emulated");
    assertThat(page.replace("emulated NVRAM", "").replace("The NVRAM is emulated", ""))
        .doesNotContain("NVRAM");
  }
}
