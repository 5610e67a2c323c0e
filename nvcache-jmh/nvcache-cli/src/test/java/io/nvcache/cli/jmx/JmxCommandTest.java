// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.cli.BrokenPipe;
import io.nvcache.cli.CliRun;
import io.nvcache.jmx.MBeanDomain;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands over a real registry, and once over a process id. */
@Timeout(120)
class JmxCommandTest {
  private final BlockCache cache =
      BlockCache.builder().nativeMemory(1 << 20).maxBlockBytes(4096).maintainedByCaller().build();
  private final List<AutoCloseable> opened = new ArrayList<>();
  @TempDir private Path directory;
  private Registry registry;
  private JMXConnectorServer server;
  private String place;

  @BeforeEach
  void serve() throws Exception {
    AtomicInteger listensAt = new AtomicInteger();
    registry =
        LocateRegistry.createRegistry(
            0,
            null,
            any -> {
              ServerSocket socket = new ServerSocket(any);
              listensAt.set(socket.getLocalPort());
              return socket;
            });
    int port = listensAt.get();
    server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi"),
            Map.of(),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
    place = "localhost:" + port;
    opened.add(NvCacheMBeanRegistration.register(cache, MBeanDomain.HBASE, "one"));
    cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
    cache.get(1, 0, ByteBuffer.allocate(100));
  }

  @AfterEach
  void end() throws Exception {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
    for (AutoCloseable each : opened) {
      each.close();
    }
    cache.close();
  }

  @Test
  void shouldListCachesUnderWhateverNames() throws Exception {
    opened.add(NvCacheMBeanRegistration.register(cache, MBeanDomain.CASSANDRA, "two"));
    opened.add(NvCacheMBeanRegistration.register(cache, MBeanDomain.STANDALONE, "three"));
    CliRun run = CliRun.of("jmx", "list", place);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("Hadoop:service=HBase,name=RegionServer,sub=NvCache,cache=one")
        .contains("org.apache.cassandra.db:type=NvCache,name=two")
        .contains("io.nvcache:type=BlockCache,name=three")
        .contains("of 1048576 bytes, hit ratio 100.0 %, overhead target 10.0 %");
    for (String name : List.of("one", "two", "three")) {
      assertThat(CliRun.of("jmx", "get", place, "--cache", name, "Lookups").out())
          .isEqualToNormalizingNewlines("Lookups 1\n");
    }
    assertThat(CliRun.of("jmx", "list", "--attributes", "--cache", "two", place).out())
        .contains("* OverheadTargetPercent")
        .contains("0 (admit nothing) to 1000")
        .contains("  Lookups");
  }

  /** As of {@code head}; else it would run until Ctrl-C. */
  @Test
  void shouldEndWithTheReaderOfItsLines() {
    StringWriter err = new StringWriter();
    String[] args = {"jmx", "watch", place};
    int exitCode =
        CliRun.commandLine(args)
            .setOut(new PrintWriter(new BrokenPipe(2), true))
            .setErr(new PrintWriter(err, true))
            .execute(args);

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).contains("can't write to the standard output");
  }

  @Test
  void shouldSayOfAProcessWhatIsWrong() {
    CliRun run = CliRun.of("jmx", "list", "1234567890");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("process 1234567890").doesNotContain("JMX port");
  }

  @Test
  void shouldGetAttributesAndTheTablesAmongThem() {
    assertThat(CliRun.of("jmx", "get", place, "Lookups", "HitRatioPercent").out())
        .isEqualToNormalizingNewlines("Lookups 1\nHitRatioPercent 100.0\n");
    assertThat(CliRun.of("jmx", "get", place, "OffersBySource").out())
        .contains("OffersBySource.READ 1");
    assertThat(CliRun.of("jmx", "get", place).out()).contains("Ledger.lookup.hit 1", "UsedBytes ");
  }

  @Test
  void shouldSetLiveSettingsWithUnits() {
    CliRun run =
        CliRun.of("jmx", "set", place, "OverheadTargetPercent=1%", "WriteLimitBytesPerDay=2GiB");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("OverheadTargetPercent: 10.0 -> 1.0");
    assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.01);
    assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(2L << 30);
  }

  @ParameterizedTest
  @CsvSource({
    "OverheadTargetPercent=1001, 1, 0 (admit nothing) to 1000",
    "OverheadTargetPercent=-1, 1, 0 (admit nothing) to 1000",
    "OverheadTargetPercent=much, 2, 0 (admit nothing) to 1000",
    "OverheadTargetPercent=, 2, 0 (admit nothing) to 1000",
    "OverheadTarget=5, 2, no live setting",
    "Lookups=5, 2, no live setting",
    "OverheadTargetPercent, 2, ATTRIBUTE=VALUE",
    "EvictionWindowSeconds=0, 1, 1 to 31536000",
    "MaxPinnedBytes=1GB, 2, 0 (no pins on memory) or more",
  })
  void shouldRefuseWhatIsMalformedOrOutOfRangeAndChangeNothing(
      String assignment, int exitCode, String message) {
    Map<String, Object> before = settings();

    CliRun run = CliRun.of("jmx", "set", place, assignment);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(settings()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OverheadTargetPercent=1% MaxPinnedBytes=4096 EvictionWindowSeconds=0",
        "EvictionWindowSeconds=60 OverheadTargetPercent=1001",
        "ShadowCandidates=paper;live@5% EvictionWindowSeconds=0",
      })
  void shouldSetAllOrNothing(String assignments) {
    cache.control().shadows().setCandidates(List.of("live@20%"));
    Map<String, Object> before = settings();
    List<String> arguments = new ArrayList<>(List.of("jmx", "set", place));
    arguments.addAll(List.of(assignments.split(" ")));

    CliRun run = CliRun.of(arguments.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(settings()).isEqualTo(before);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(1);
  }

  @Test
  void shouldSayWhatIsSetBack() {
    CliRun run =
        CliRun.of(
            "jmx",
            "set",
            place,
            "OverheadTargetPercent=1%",
            "MaxPinnedBytes=4096",
            "EvictionWindowSeconds=0");

    assertThat(run.err())
        .contains(
            "; MaxPinnedBytes is set back to 131072; OverheadTargetPercent is set back to 10.0");
  }

  private Map<String, Object> settings() {
    return Map.of(
        "target",
        cache.control().settings().overheadTarget(),
        "window",
        cache.control().settings().evictionWindow(),
        "pinned",
        cache.control().settings().maxPinnedBytes(),
        "candidates",
        cache.control().shadows().candidates());
  }

  /** The clock of the cache is the test's: a condition ends ten seconds after the last failure. */
  @Test
  void shouldTellTheConditionsThatItFindsAndWhatIsRefused() throws Exception {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    medium.failWrites = true;
    AtomicLong now = new AtomicLong();
    try (BlockCache failing =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(4096)
            .maxMediumFailures(1_000_000_000)
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .registerMBean("failing")
            .build()) {
      failing.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
      now.addAndGet(Duration.ofSeconds(1).toNanos());
      failing.control().maintain();
      AtomicBoolean ended = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                while (!ended.get()) {
                  failing.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
                }
              });
      writer.start();
      CliRun run = CliRun.of("jmx", "watch", place, "--cache", "failing", "--count", "1");
      ended.set(true);
      writer.join();

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .startsWith("  # MEDIUM_FAILING already: 1 reads and writes failed")
          .containsPattern("\\d\\d:\\d\\d\\S* .* medium_failed \\d+%");
    }
  }

  @Test
  void shouldWatchWhatHappensAndWhatIsTold() throws Exception {
    Thread changer =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                cache.get(1, 0, ByteBuffer.allocate(100));
                cache
                    .control()
                    .settings()
                    .setEvictionWindow(Duration.ofSeconds(1 + System.nanoTime() % 1000));
              }
            });
    changer.start();
    CliRun run = CliRun.of("jmx", "watch", place, "--count", "2");
    changer.interrupt();
    changer.join();

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("lookups/s").contains("# EvictionWindowSeconds changed from");
    assertThat(run.out().lines().filter(line -> line.matches("\\d\\d:\\d\\d.*")))
        .hasSize(2)
        .allMatch(line -> line.contains(" 100.0 "));
  }

  @Test
  void shouldWriteAReportOfARunningCacheAndChangeItMeanwhile() throws Exception {
    Path page = directory.resolve("live.html");
    Path json = directory.resolve("live.json");
    cache.control().shadows().setCandidates(List.of("live@20%"));
    cache.control().shadows().setSampleRatio(0.5);
    AtomicBoolean ended = new AtomicBoolean();
    Thread user =
        new Thread(
            () -> {
              ByteBuffer block = ByteBuffer.allocate(100);
              for (long i = 0; !ended.get(); i++) {
                if (cache.get(1, i % 500 * 100, block.clear()) == BlockCache.MISS) {
                  cache.offer(1, i % 500 * 100, block.clear(), Source.READ);
                }
              }
            });
    user.start();
    CliRun run =
        CliRun.of(
            "jmx",
            "report",
            place,
            "--seconds=3",
            "--period=100",
            "--at=1:OverheadTargetPercent=1%",
            "--report=" + page,
            "--json=" + json);
    ended.set(true);
    user.join();

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("OverheadTargetPercent=1%").contains("live@20% would");
    assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.01);
    assertThat(Files.readString(page))
        .contains("live@20% would", "<svg", "ShadowSampledLookups", "<dt>Rebalancings</dt>")
        .contains(" of process " + place + "</h1>", "<dt>Offers admitted</dt>", "<dt>State</dt>")
        .contains(">refused</text>", ">evicted</text>", ">rebalanced</text>")
        .containsPattern("<dt>UsedPercent</dt><dd>\\d+\\.\\d %</dd>");
    assertThat(Files.readString(json))
        .contains("\"rebalanced_per_second\"", "\"refused_per_second\"", "\"evicted_per_second\"")
        .contains("\"overhead_target\"", "\"curve_hit_ratio\"", "\"value\": 0.01");
    assertThat(CliRun.of("jmx", "report", place, "--at=x:Lookups=1").exitCode()).isEqualTo(2);
  }

  @Test
  void shouldRefuseChangesAfterTheEnd() {
    CliRun run =
        CliRun.of("jmx", "report", place, "--seconds=2", "--at=2:OverheadTargetPercent=1%");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--at", "--seconds");
  }

  @Test
  void shouldStartAndStopTuning() {
    assertThat(CliRun.of("jmx", "tune", place).out()).startsWith("OFF");
    assertThat(CliRun.of("jmx", "tune", place, "--least=1%", "--most=50%").out())
        .startsWith("EXPLORING");
    assertThat(CliRun.of("jmx", "tune", place, "--stop").out()).startsWith("OFF");
    assertThat(CliRun.of("jmx", "tune", place, "--least=50%", "--most=1%").err())
        .contains("must ascend");
    assertThat(CliRun.of("jmx", "tune", place, "--least=1%").exitCode()).isEqualTo(2);
  }

  @Test
  void shouldAskWhichCacheIsMeant() throws Exception {
    opened.add(NvCacheMBeanRegistration.register(cache, "two"));

    assertThat(CliRun.of("jmx", "get", place, "Blocks").err())
        .contains("--cache", "one")
        .contains("two");
    assertThat(CliRun.of("jmx", "get", place, "--cache", "two", "Blocks").out())
        .isEqualToNormalizingNewlines("Blocks 1\n");
    assertThat(CliRun.of("jmx", "get", place, "--cache", "three", "Blocks").exitCode())
        .isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "not a place, 2, process id",
    "localhost:0, 2, process id",
    "localhost:99999, 2, process id",
    "localhost:1, 1, JMX port",
    "2147483646, 1, attach",
  })
  void shouldSayInOneLineWhyNobodyAnswers(String where, int exitCode, String message) {
    CliRun run = CliRun.of("jmx", "list", where);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message).hasLineCount(1);
  }

  @Test
  void shouldSayWhatItCanDo() {
    assertThat(CliRun.of("jmx").err()).contains("list, get, set, watch, report, tune");
  }

  /** A process with a cache, for the test below. */
  static final class Host {
    public static void main(String[] args) throws Exception {
      try (BlockCache cache =
          BlockCache.builder()
              .nativeMemory(1 << 20)
              .maxBlockBytes(4096)
              .registerMBean("child")
              .build()) {
        System.out.println("ready " + cache.stats().capacityBytes());
        System.in.read();
      }
    }
  }

  @Test
  void shouldReachAProcessByItsId() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.toLowerCase(Locale.ROOT).startsWith("--add-"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Host.class.getName()));
    Process host = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(host.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      while (line != null && !line.startsWith("ready")) {
        line = out.readLine();
      }
      String pid = Long.toString(host.pid());

      assertThat(CliRun.of("jmx", "set", pid, "OverheadTargetPercent=3").out())
          .contains("10.0 -> 3.0");
      assertThat(CliRun.of("jmx", "list", pid).out()).contains("name=child", "target 3.0 %");
    } finally {
      host.destroyForcibly().waitFor();
    }
  }
}
