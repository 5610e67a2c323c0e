// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.weave.BootClasses;
import io.nvcache.writelog.weave.Weaving;
import io.nvcache.writelog.weave.Weaving.Readers;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent's work before the program's main method, in its own class loader. */
final class AgentStart {
  private static final String DEFAULT = "java.nio.file.spi.DefaultFileSystemProvider";

  private AgentStart() {}

  /**
   * Opens and recovers the log, and then weaves it into the JDK.
   *
   * @param arguments of the agent
   */
  static void start(String arguments, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    requireOneWay();
    WriteLogOptions options = WriteLogOptions.ofAgent(arguments);
    open(instrumentation);
    BootClasses.define(); // Before any class that names them.
    Logger unused = LoggerFactory.getLogger(AgentStart.class); // Reads its settings here.
    FileSystemProvider provider = unwoven();
    FileSystem platform = provider.getFileSystem(URI.create("file:///"));
    WriteLogFileSystemProvider logged = new WriteLogFileSystemProvider(provider, options);
    WriteLog log = logged.openLog();
    RootPaths paths = new RootPaths(log.engine(), platform);
    JdkPaths.install(logged, log, paths, provider);
    JdkStreams.install(log, paths, provider);
    Weaving.install(
        instrumentation,
        provider,
        log.propagation() == Propagation.DEFERRED ? Readers.WOVEN : Readers.LEFT_ALONE);
    new NativeStores(platform).watch(log.roots());
  }

  private static void requireOneWay() {
    String other = System.getProperty(DEFAULT);
    if (WriteLogFileSystemProvider.class.getName().equals(other)) {
      throw new IllegalArgumentException(
          "the agent and -D" + DEFAULT + "=" + other + " are both given; leave the latter out");
    }
  }

  /** Opens to this class loader what the log needs of the JDK. */
  private static void open(Instrumentation instrumentation) {
    Set<Module> ours = Set.of(AgentStart.class.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.access", ours, "jdk.internal.ref", ours, "sun.nio.ch", ours),
        Map.of(
            "java.lang.reflect", ours,
            "java.nio", ours,
            "sun.nio.ch", ours,
            "sun.nio.fs", ours),
        Set.of(),
        Map.of());
  }

  /** Makes a second provider of the platform's kind, whose calls continue. */
  private static FileSystemProvider unwoven() throws ReflectiveOperationException {
    // The built-in one, whatever the default is.
    Object builtIn =
        Class.forName("sun.nio.fs.DefaultFileSystemProvider").getMethod("instance").invoke(null);
    Constructor<?> constructor = builtIn.getClass().getDeclaredConstructor();
    constructor.setAccessible(true);
    return (FileSystemProvider) constructor.newInstance();
  }
}
