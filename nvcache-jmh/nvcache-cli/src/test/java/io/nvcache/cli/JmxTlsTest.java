// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import java.io.File;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM whose JMX uses SSL for registry and connector, as Cassandra's does; and the command line in
 * JVMs of its own, since what the JDK trusts is settled once for a process.
 */
@Timeout(120)
class JmxTlsTest {
  private static final String PASSWORD = "for-tests-only";

  @TempDir private static Path directory;
  private static Process server;
  private static int port;

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
        System.out.println("ready " + cache.control().medium());
        int unused = System.in.read();
      }
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
    assertThat(server.inputReader().lines().filter(line -> line.startsWith("ready")).findFirst())
        .as("the server is up")
        .isPresent();
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
    assertThat(
            run(
                "jmx",
                "list",
                "localhost:" + port,
                "--ssl",
                "--trust-store",
                directory.resolve("keys.p12").toString(),
                "--trust-store-password-file",
                directory.resolve("password").toString()))
        .contains("io.nvcache:type=BlockCache,name=guarded")
        .endsWith("exit 0");
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
  void shouldRefuseOptionsThatLackTheirStore() {
    CliRun lonely = CliRun.of("jmx", "list", "localhost:1", "--key-store-password-file", "x");
    CliRun missing =
        CliRun.of("jmx", "list", "localhost:1", "--trust-store", File.separator + "no");
    CliRun local = CliRun.of("jmx", "list", "4711", "--ssl");

    assertThat(lonely.err()).contains("--key-store-password-file goes with --key-store");
    assertThat(missing.err()).contains("--trust-store /no can't be read");
    assertThat(local.err()).contains("leave --ssl out");
  }
}
