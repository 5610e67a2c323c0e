// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import org.junit.jupiter.api.Test;

class DocCommandsTest {
  @Test
  void shouldHaveTheOptionsThatTheDocumentationMentions() throws Exception {
    DocCommands.check("trace", "calibrate", "inspect", "wipe", "jmx");
  }
}
