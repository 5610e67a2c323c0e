// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.cli.DocCommands;
import org.junit.jupiter.api.Test;

class LuceneDocTest {
  @Test
  void shouldHaveTheOptionsThatTheDocumentationMentions() throws Exception {
    DocCommands.check("bench lucene");
  }
}
