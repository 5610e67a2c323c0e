// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.cli.DocCommands;
import org.junit.jupiter.api.Test;

class ModelDocTest {
  @Test
  void shouldHaveTheOptionsThatTheDocumentationMentions() throws Exception {
    DocCommands.check("reproduce");
  }
}
