// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemoteTextTest {
  @Test
  void shouldLeaveWhatATerminalShows() {
    assertThat(RemoteText.of("hit ratio 71,3 % – größer 😀"))
        .isEqualTo("hit ratio 71,3 % – größer 😀");
    assertThat(RemoteText.of(null)).isEqualTo("null");
  }

  @Test
  void shouldTakeAwayWhatATerminalObeys() {
    assertThat(RemoteText.of("a\u001b]0;title\u0007b\r\nc\u009b2Jd\u2028e\u202ef\ud800"))
        .isEqualTo("a?]0;title?b??c?2Jd?e?f?");
  }

  @Test
  void shouldCutWhatIsLongerThanAnyValue() {
    assertThat(RemoteText.of("x".repeat(1 << 24)))
        .hasSizeLessThan(RemoteText.MOST_CHARACTERS + 16)
        .endsWith("… (cut)");
  }
}
