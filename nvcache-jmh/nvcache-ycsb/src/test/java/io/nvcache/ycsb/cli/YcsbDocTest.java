// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.DocCommands;
import org.junit.jupiter.api.Test;

class YcsbDocTest {
  @Test
  void shouldHaveTheOptionsThatTheDocumentationMentions() throws Exception {
    DocCommands.check("ycsb");
  }
}
