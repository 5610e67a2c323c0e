// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.cassandra.agent.Compactions;
import io.nvcache.cassandra.agent.DataFiles;
import io.nvcache.cassandra.settings.AgentArguments;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.weave.CassandraShape;
import io.nvcache.cassandra.weave.Weaving;
import io.nvcache.cassandra.weave.Weaving.Heat;
import io.nvcache.cassandra.weave.WeavingReport;
import java.lang.instrument.Instrumentation;
import java.util.Properties;

/** The agent's work before the node starts: checks and weaving, and no more. */
public final class NodeStart {
  private NodeStart() {}

  /**
   * Starts the node's cache; called by the agent.
   *
   * @param arguments the agent's
   * @throws IllegalArgumentException if a setting is wrong; the message is one line
   */
  public static void start(String arguments, Instrumentation instrumentation) {
    Properties given = AgentArguments.parse(arguments);
    if (!NodeSettings.enabled(given)) {
      return;
    }
    NodeSettings settings = NodeSettings.of(given);
    ClassLoader cassandra = ClassLoader.getSystemClassLoader();
    CassandraShape shape = new CassandraShape(cassandra);
    String problem = shape.problem();
    if (problem != null) {
      Refusal.announce(problem, instrumentation);
      return;
    }
    OpenedModules.open(instrumentation);
    String heatProblem = settings.compactionHeat() ? shape.heatProblem() : NodeCache.HEAT_UNWANTED;
    WeavingReport report =
        Weaving.install(
            instrumentation, cassandra, heatProblem == null ? Heat.FOLLOWED : Heat.LEFT_ALONE);
    NodeCache node =
        new NodeCache(
            settings,
            report::problem,
            () -> heatProblem == null ? report.heatProblem() : heatProblem);
    DataFiles.tell(node);
    Compactions.tell(node.compactionHeat());
  }
}
