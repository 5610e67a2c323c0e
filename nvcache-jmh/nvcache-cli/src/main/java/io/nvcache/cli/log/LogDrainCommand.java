// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.jmx.JmxProcess;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.remote.RemoteText;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code log drain}. */
@Command(
    name = "drain",
    description =
        "Has a program bring what its logs hold to its files' disk, over JMX. For a log that no"
            + " program has open, that is log recover.")
public final class LogDrainCommand extends Action {
  @Mixin private final JmxProcess process = new JmxProcess();

  @Option(
      names = "--log",
      paramLabel = "LOG",
      description = "The file of the log, as the program names it. Default: all of the program.")
  private @Nullable String log;

  @Mixin private final RecordOptions output = new RecordOptions();

  @Override
  public Integer call() throws IOException {
    output.check(reader());
    Measurements drained = new Measurements();
    try (JMXConnector connector = process.connect(command())) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      Set<ObjectName> logs = logs(server);
      if (logs.isEmpty()) {
        throw new IOException(
            "process "
                + process.process()
                + (log == null ? " shows no write log" : " shows no write log " + log)
                + "; for a log that no program has open there is log recover");
      }
      for (ObjectName name : logs) {
        drain(server, name, drained);
      }
    } catch (JMException e) {
      throw new IOException("can't drain: " + e.getMessage(), e);
    }
    output.write(drained.records());
    return 0;
  }

  private Set<ObjectName> logs(MBeanServerConnection server)
      throws IOException, MalformedObjectNameException {
    String one = log;
    String name = one == null ? "*" : ObjectName.quote(one);
    return new TreeSet<>(
        server.queryNames(new ObjectName("io.nvcache:type=WriteLog,name=" + name), null));
  }

  private void drain(MBeanServerConnection server, ObjectName name, Measurements to)
      throws IOException, JMException {
    long before = (Long) server.getAttribute(name, "PendingRecords");
    server.invoke(name, "drain", new Object[0], new String[0]);
    long after = (Long) server.getAttribute(name, "PendingRecords");
    String path = ObjectName.unquote(name.getKeyProperty("name"));
    PrintWriter out = out();
    out.println(RemoteText.of(path) + ": " + before + " records before, " + after + " now");
    out.flush();
    to.with("log", path)
        .add("log_pending_records_before", before, "records")
        .add("log_pending_records", after, "records");
  }
}
