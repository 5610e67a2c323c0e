// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.cli.DocCommands;
import org.junit.jupiter.api.Test;

class BenchDocTest {
  @Test
  void shouldHaveTheOptionsThatTheDocumentationMentions() throws Exception {
    DocCommands.check(
        "bench flash",
        "bench hbase",
        "bench hbase-clients",
        "bench hbase-day",
        "bench restart",
        "stress");
  }
}
