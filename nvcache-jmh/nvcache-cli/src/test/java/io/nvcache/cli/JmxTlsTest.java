// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.management.remote.rmi.RMIServerImpl;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A JVM whose JMX uses SSL for registry and connector, as Cassandra's does; and the command line in
 * separate JVMs, since what the JDK trusts is settled once for a process.
 */
@Timeout(120)
class JmxTlsTest {
  private static final String PASSWORD = "for-tests-only";

  @TempDir private static Path directory;
  private static Process server;
  private static int port;

  /** Of a registry with SSL, whose connector has none. */
  private static int clearPort;

  /** The process that is asked. */
  public static final class Server {
    private Server() {}

    public static void main(String[] args) throws Exception {
      try (BlockCache cache =
          BlockCache.builder()
              .nativeMemory(1 << 20)
              .maxBlockBytes(4096)
              .registerMBean("guarded")
              .build()) {
        int clear = serveInTheClear();
        System.out.println("ready " + clear + " " + cache.control().medium());
        int unused = System.in.read();
      }
    }

    /** A connector without SSL, in a registry with it. Returns the registry's port. */
    @SuppressWarnings("BanJNDI") // The test's own registry.
    private static int serveInTheClear() throws Exception {
      int[] listensAt = new int[1];
      SslRMIServerSocketFactory sockets = new SslRMIServerSocketFactory();
      Registry registry =
          LocateRegistry.createRegistry(
              0,
              new SslRMIClientSocketFactory(),
              any -> {
                ServerSocket socket = sockets.createServerSocket(any);
                listensAt[0] = socket.getLocalPort();
                return socket;
              });
      RMIServerImpl connector = new RMIJRMPServerImpl(0, null, null, Map.of());
      JMXServiceURL url = new JMXServiceURL("service:jmx:rmi://localhost");
      new RMIConnectorServer(url, Map.of(), connector, ManagementFactory.getPlatformMBeanServer())
          .start();
      registry.bind("jmxrmi", connector.toStub());
      return listensAt[0];
    }
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static Process start(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @BeforeAll
  static void serve() throws Exception {
    Files.writeString(directory.resolve("password"), PASSWORD + "\n");
    String keys = directory.resolve("keys.p12").toString();
    Process keytool =
        start(
            tool("keytool"),
            "-genkeypair",
            "-alias",
            "jmx",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-validity",
            "30",
            "-storetype",
            "PKCS12",
            "-keystore",
            keys,
            "-storepass",
            PASSWORD);
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    @Nullable String ready = null;
    for (int tries = 0; ready == null && tries < 5; tries++) {
      ready = startServer(keys);
    }
    assertThat(ready).as("what the server says when it is up").isNotNull();
    clearPort = Integer.parseInt(ready.split(" ")[1]);
  }

  /** Returns the server's line, or null if it has ended: another program took the port before. */
  private static @Nullable String startServer(String keys) throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String jmx = "-Dcom.sun.management.jmxremote.";
    server =
        start(
            tool("java"),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Djava.rmi.server.hostname=localhost",
            jmx + "port=" + port,
            jmx + "rmi.port=" + port,
            jmx + "authenticate=false",
            jmx + "ssl=true",
            jmx + "registry.ssl=true",
            "-Djavax.net.ssl.keyStore=" + keys,
            "-Djavax.net.ssl.keyStorePassword=" + PASSWORD,
            "-cp",
            classPath(),
            Server.class.getName());
    return server
        .inputReader()
        .lines()
        .filter(line -> line.startsWith("ready"))
        .findFirst()
        .orElse(null);
  }

  @AfterAll
  static void stop() {
    server.destroyForcibly();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** What the command printed, and its exit code at the end. */
  private static String run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                tool("java"),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                "io.nvcache.cli.NvCacheCli"));
    command.addAll(Arrays.asList(arguments));
    Process process = start(command.toArray(String[]::new));
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + "\nexit " + process.waitFor();
  }

  @Test
  void shouldListTheCachesOfAServerThatItTrusts() throws Exception {
    assertThat(runTrusting("localhost:" + port))
        .contains("io.nvcache:type=BlockCache,name=guarded")
        .endsWith("exit 0");
  }

  private static String runTrusting(String address) throws Exception {
    return run(
        "jmx",
        "list",
        address,
        "--ssl",
        "--trust-store",
        directory.resolve("keys.p12").toString(),
        "--trust-store-password-file",
        directory.resolve("password").toString());
  }

  @Test
  void shouldTakeAServiceUrlAsWell() throws Exception {
    assertThat(runTrusting("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi"))
        .contains("io.nvcache:type=BlockCache,name=guarded")
        .endsWith("exit 0");
  }

  /** Or the password would go there in the clear. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost:%d", "service:jmx:rmi:///jndi/rmi://localhost:%d/jmxrmi"})
  void shouldRefuseAConnectorInTheClear_HoweverItIsNamed(String address) throws Exception {
    assertThat(runTrusting(String.format(address, clearPort)))
        .contains("its connector does not use TLS")
        .endsWith("exit 1");
  }

  @Test
  void shouldNameSslWhereTheRegistryUsesItAndTheOptionIsMissing() throws Exception {
    assertThat(run("jmx", "list", "localhost:" + port))
        .contains("the registry uses SSL. Give --ssl, and --trust-store")
        .doesNotContain("is its JMX port open")
        .endsWith("exit 1");
  }

  @Test
  void shouldNameTheTrustStoreWhereTheCertificateIsNotTrusted() throws Exception {
    assertThat(run("jmx", "list", "localhost:" + port, "--ssl"))
        .contains("its certificate is not trusted")
        .contains("give --trust-store")
        .endsWith("exit 1");
  }

  @Test
  void shouldSayThatAStoresPasswordIsWrong() throws Exception {
    String store = directory.resolve("keys.p12").toString();
    Path wrong = Files.writeString(directory.resolve("wrong"), "another");
    CliRun run =
        CliRun.of(
            "jmx",
            "list",
            "localhost:1",
            "--ssl",
            "--trust-store",
            store,
            "--trust-store-password-file",
            wrong.toString());

    assertThat(run.err())
        .contains("--trust-store " + store + " can't be opened with its password: ")
        .contains("password was incorrect");
  }

  @Test
  void shouldRefuseOptionsThatLackTheirStore() {
    CliRun lonely = CliRun.of("jmx", "list", "localhost:1", "--key-store-password-file", "x");
    CliRun missing =
        CliRun.of("jmx", "list", "localhost:1", "--trust-store", File.separator + "no");
    CliRun local = CliRun.of("jmx", "list", "4711", "--ssl");
    CliRun stub = CliRun.of("jmx", "list", "service:jmx:rmi://localhost:1/stub/AAAA", "--ssl");

    assertThat(lonely.err()).contains("--key-store-password-file goes with --key-store");
    assertThat(missing.err()).contains("--trust-store /no can't be read");
    assertThat(local.err()).contains("leave --ssl out");
    assertThat(stub.err()).contains("names no RMI registry");
  }
}
