// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Propagation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores with the agent that the build has packed, and no other flag. */
class AgentStoresIT {
  private static final int ROWS = 300;
  private static final int STARTS = 3;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "h2, org.h2.Driver, ON_WRITE",
    "h2, org.h2.Driver, DEFERRED",
    "derby, org.apache.derby.iapi.jdbc.AutoloadedDriver, ON_WRITE",
    "derby, org.apache.derby.iapi.jdbc.AutoloadedDriver, DEFERRED",
    "hsqldb, org.hsqldb.jdbc.JDBCDriver, ON_WRITE",
    "hsqldb, org.hsqldb.jdbc.JDBCDriver, DEFERRED"
  })
  void shouldKeepEachCommitOfAStoreThatIsKilled(
      String store, String driver, Propagation propagation) throws Exception {
    AgentJvm jvm = new AgentJvm(AgentJar.packed(), directory, StoreProgram.class);
    jvm.with(driver);
    if (store.equals("derby")) {
      jvm.with("org.apache.derby.shared.common.error.StandardException");
    }
    int acknowledged = 0;
    for (int start = 0; start < STARTS; start++) {
      List<String> lines = jvm.run(propagation, StoreProgram.class, jvm.root(), store, ROWS);
      assertThat(lines).as(jvm.errors()).hasSize(ROWS + 2);
      int found = Integer.parseInt(lines.get(0).substring("found ".length()));
      assertThat(found).as("start %d", start).isEqualTo(acknowledged);
      acknowledged = Integer.parseInt(lines.get(ROWS));
      System.out.println(store + " " + propagation + ": " + lines.get(ROWS + 1));
    }
  }

  /** The packed jar has all that it needs, and shows none of it to the program. */
  @Test
  void shouldNeedNothingButItself() throws Exception {
    AgentJvm jvm = new AgentJvm(AgentJar.packed(), directory, AgentPrograms.class);
    assertThat(jvm.run(Propagation.DEFERRED, AgentPrograms.class, jvm.root(), "write"))
        .as(jvm.errors())
        .contains("no SLF4J");
    assertThat(jvm.run(Propagation.DEFERRED, AgentPrograms.class, jvm.root(), "look"))
        .as(jvm.errors())
        .contains("deleted missing", "replaced 3000 new", "new false");
  }
}
