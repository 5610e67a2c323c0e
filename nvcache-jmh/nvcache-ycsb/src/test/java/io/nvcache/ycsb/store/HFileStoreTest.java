// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.ReasonLedger;
import io.nvcache.hbase.compaction.CompactionOutputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

class HFileStoreTest {
  private static final int RECORDS = 2000;

  @TempDir private Path directory;

  private StoreOptions options(long dramTierBytes, long memtableBytes) {
    return options(dramTierBytes, memtableBytes, CompactionOutputs.CARRY);
  }

  private StoreOptions options(long dramTierBytes, long memtableBytes, CompactionOutputs outputs) {
    return new StoreOptions(RECORDS, 2, 100, 4096, dramTierBytes, memtableBytes, 3, outputs);
  }

  private static BlockCache cache() {
    return BlockCache.builder()
        .nativeMemory(64 << 20)
        .admission(AdmissionPresets.admitAll())
        .build();
  }

  private HFileStore load(long dramTierBytes, BlockCache second) throws IOException {
    return HFileStore.load(directory, options(dramTierBytes, 1 << 20), second, loaded -> {});
  }

  private static DB client(HFileStore store) throws Exception {
    DB client = store.newClient();
    Properties properties = new Properties();
    properties.setProperty("dataintegrity", "true");
    client.setProperties(properties);
    client.init();
    return client;
  }

  private static void readAll(DB client) {
    for (int record = 0; record < RECORDS; record++) {
      Map<String, ByteIterator> result = new HashMap<>();
      assertThat(client.read("t", KeyOrder.key(record), null, result)).isEqualTo(Status.OK);
      assertThat(result).containsOnlyKeys("field0", "field1");
    }
  }

  @Test
  void shouldReadWhatWasLoaded() throws Exception {
    List<Long> progress = new ArrayList<>();
    try (HFileStore store =
        HFileStore.load(directory, options(1 << 20, 1 << 20), null, progress::add)) {
      assertThat(progress).endsWith((long) RECORDS);
      assertThat(store.fileCount()).isEqualTo(1);
      assertThat(store.dataBytes()).isGreaterThan(RECORDS * 200L);
      readAll(client(store));
      assertThat(store.wrongValues()).isZero();
      assertThat(client(store).read("t", "user1", null, new HashMap<>()))
          .isEqualTo(Status.NOT_FOUND);
    }
  }

  @Test
  void shouldReadOnlyTheFieldsAskedFor() throws Exception {
    try (HFileStore store = load(0, null)) {
      Map<String, ByteIterator> result = new HashMap<>();
      client(store).read("t", KeyOrder.key(5), Set.of("field1"), result);
      assertThat(result).containsOnlyKeys("field1");
    }
  }

  @Test
  void shouldAskDramThenTheSecondTierThenTheDisk() throws Exception {
    try (BlockCache second = cache();
        HFileStore store = load(64 << 20, second)) {
      DB client = client(store);
      readAll(client);
      long blocks = second.stats().offers(Source.READ);
      long coldReads = store.diskReads();
      assertThat(second.stats().lookups()).isEqualTo(blocks);
      assertThat(second.stats().hits()).isZero();
      assertThat(store.dramTier().misses()).isEqualTo(blocks);

      readAll(client);
      assertThat(second.stats().lookups()).as("DRAM holds all").isEqualTo(blocks);
      assertThat(coldReads).isGreaterThanOrEqualTo(blocks);
      assertThat(store.wrongValues()).isZero();
    }
  }

  @Test
  void shouldFindInTheSecondTierWhatItHas() throws Exception {
    try (BlockCache second = cache();
        HFileStore store = load(0, second)) {
      DB client = client(store);
      readAll(client);
      long hits = second.stats().hits();
      long blocks = second.stats().offers(Source.READ);
      long coldReads = store.diskReads();
      readAll(client);
      assertThat(store.diskReads()).as("disk reads").isEqualTo(coldReads);
      assertThat(second.stats().hits() - hits).isEqualTo(hits + blocks);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 64 << 20})
  void shouldReadAColdBlockFromDiskOnceForManyReaders(long dramTierBytes) throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (BlockCache first = cache();
        BlockCache second = cache();
        HFileStore loaded = load(dramTierBytes, first);
        HFileStore store = loaded.fork(second)) {
      long start = loaded.diskReads();
      readAll(client(loaded));
      long blocks = loaded.diskReads() - start;

      start = store.diskReads();
      CyclicBarrier barrier = new CyclicBarrier(threads);
      List<Callable<Void>> readers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        readers.add(
            () -> {
              DB client = client(store);
              barrier.await();
              readAll(client);
              return null;
            });
      }
      for (Future<Void> reader : pool.invokeAll(readers)) {
        reader.get();
      }
      // Which block was offered a moment ago may be forgotten when another falls on its place.
      assertThat(store.diskReads() - start).isBetween(blocks, blocks + blocks / 20);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void shouldTellTheSecondTierOfTheLengthOfItsFiles() throws Exception {
    try (BlockCache second = cache();
        HFileStore store = load(0, second)) {
      assertThat(second.control().dataSet().bytes()).hasValue(store.dataBytes());
    }
  }

  @Test
  void shouldMissNothingWithoutASecondTier() throws Exception {
    try (HFileStore store = load(64 << 20, null)) {
      DB client = client(store);
      readAll(client);
      long misses = store.dramTier().misses();
      readAll(client);
      assertThat(store.dramTier().misses()).isEqualTo(misses).isPositive();
      assertThat(store.dramTier().hits()).isPositive();
      assertThat(store.dramTier().bytes()).isPositive();
    }
  }

  @Test
  void shouldKeepTheDramTierWithinItsBytes() throws Exception {
    try (HFileStore store = load(100_000, null)) {
      readAll(client(store));
      assertThat(store.dramTier().bytes()).isPositive().isLessThanOrEqualTo(100_000);
    }
  }

  @Test
  void shouldUpdateAFieldAndKeepTheOthers() throws Exception {
    try (HFileStore store = load(0, null)) {
      DB client = store.newClient(); // unchecked: the values are not YCSB's
      String key = KeyOrder.key(7);
      assertThat(client.update("t", key, fields("field1", "new"))).isEqualTo(Status.OK);
      Map<String, ByteIterator> result = new HashMap<>();
      assertThat(client.read("t", key, null, result)).isEqualTo(Status.OK);
      assertThat(result.get("field1").toArray()).isEqualTo("new".getBytes(UTF_8));
      assertThat(result.get("field0").toArray())
          .isEqualTo(DeterministicFields.value(key, "field0", 100));
      assertThat(client.update("t", "nobody", fields("field1", "x"))).isEqualTo(Status.NOT_FOUND);
      assertThat(client.update("t", key, fields("field2", "x"))).isEqualTo(Status.BAD_REQUEST);
    }
  }

  @Test
  void shouldCountAValueThatIsNotYcsbs() throws Exception {
    try (HFileStore store = load(0, null)) {
      String key = KeyOrder.key(7);
      store.newClient().update("t", key, fields("field1", "not what YCSB writes"));
      assertThat(client(store).read("t", key, null, new HashMap<>()))
          .isEqualTo(Status.UNEXPECTED_STATE);
      assertThat(store.wrongValues()).isEqualTo(1);
    }
  }

  @Test
  @SuppressWarnings("JdkObsolete") // YCSB's own signature
  void shouldScanWithTheRightSource() throws Exception {
    try (BlockCache second = cache();
        HFileStore store = load(0, second)) {
      Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
      assertThat(client(store).scan("t", "user5", 100, Set.of("field0"), rows))
          .isEqualTo(Status.OK);
      assertThat(rows).hasSize(100);
      assertThat(rows.get(0)).containsOnlyKeys("field0");
      assertThat(second.stats().offers(Source.SCAN)).isPositive();
      assertThat(second.stats().offers(Source.READ)).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "read, 0.5, update, 0.5",
    "read, 0.8, insert, 0.2",
    "scan, 0.8, insert, 0.2",
    "read, 0.5, readmodifywrite, 0.5"
  })
  void shouldRunYcsbsWorkloadsWithoutAWrongValue(
      String first, String firstShare, String second, String secondShare) throws Exception {
    Properties properties = options(0, 1).workloadProperties();
    for (String operation : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
      properties.setProperty(operation + "proportion", "0");
    }
    properties.setProperty(first + "proportion", firstShare);
    properties.setProperty(second + "proportion", secondShare);
    properties.setProperty("maxscanlength", "50");
    Measurements.setProperties(properties);
    CoreWorkload workload = new CoreWorkload();
    workload.init(properties);
    try (BlockCache cache = cache();
        HFileStore store =
            HFileStore.load(directory, options(200_000, 10_000), cache, loaded -> {})) {
      DB client = store.newClient();
      client.setProperties(properties);
      client.init();
      for (int i = 0; i < 1000; i++) {
        assertThat(workload.doTransaction(client, null)).isTrue();
      }
      store.settle();
      assertThat(store.wrongValues()).isZero();
      assertThat(cache.stats().offers(Source.FLUSH)).isPositive();
    }
  }

  @Test
  void shouldForkWithoutSharingWhatIsWrittenCachedOrCounted() throws Exception {
    try (BlockCache first = cache();
        BlockCache second = cache();
        HFileStore store = HFileStore.load(directory, options(0, 20_000), null, loaded -> {});
        HFileStore one = store.fork(first);
        HFileStore other = store.fork(second)) {
      readAll(client(other));
      long cached = second.stats().offers(Source.READ);
      DB unchecked = one.newClient();
      for (int record = 0; record < RECORDS; record++) {
        unchecked.update("t", KeyOrder.key(record), fields("field0", "changed"));
      }
      unchecked.insert("t", "user0new", fields("field0", "x"));
      one.settle();

      assertThat(first.stats().offers(Source.COMPACTION)).as("files merged").isPositive();
      assertThat(first.stats().invalidations()).isPositive();
      long reads = other.diskReads();
      readAll(client(other));
      assertThat(second.stats().offers(Source.READ)).as("blocks kept").isEqualTo(cached);
      assertThat(other.diskReads()).isEqualTo(reads);
      assertThat(other.dataBytes()).isEqualTo(store.dataBytes()).isNotEqualTo(one.dataBytes());
      assertThat(store.diskReads()).isLessThan(reads);
      assertThat(client(other).read("t", "user0new", null, new HashMap<>()))
          .isEqualTo(Status.NOT_FOUND);
      assertThat(other.wrongValues()).isZero();
      assertThat(other.diskWaitNanos().getTotalCount()).isEqualTo(reads);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void shouldCarryHeatOfCompactionsIfAskedTo() throws Exception {
    try (BlockCache cache = cache()) {
      long compactions = updateAndRead(cache, CompactionOutputs.CARRY);

      ReasonLedger ledger = cache.control().ledger();
      assertThat(compactions).isPositive();
      assertThat(ledger.carried().get(OfferResult.ADMITTED)).as("carried").isPositive();
      assertThat(ledger.rewriteHits()).as("inputs read through the cache").isPositive();
      assertThat(cache.stats().offers(Source.COMPACTION)).isPositive();
      assertThat(ledger.contradictions()).isEmpty();
    }
  }

  @Test
  void shouldOfferWhatCompactionsWriteIfHeatIsOff() throws Exception {
    try (BlockCache cache = cache()) {
      long compactions = updateAndRead(cache, CompactionOutputs.OFFER);

      ReasonLedger ledger = cache.control().ledger();
      assertThat(compactions).isPositive();
      assertThat(ledger.carried().values()).containsOnly(0L);
      assertThat(ledger.rewriteHits() + ledger.rewriteMisses()).isZero();
      assertThat(cache.stats().offers(Source.COMPACTION)).isPositive();
    }
  }

  @Test
  void shouldCountNoReadOfACompactionAsAMissOfDram() throws Exception {
    try (BlockCache cache = cache();
        HFileStore store =
            HFileStore.load(directory, options(64 << 20, 20_000), cache, loaded -> {})) {
      updateAll(store.newClient());
      store.settle();

      assertThat(store.compactions()).isPositive();
      assertThat(cache.control().ledger().rewriteHits()).isPositive();
      assertThat(store.dramTier().misses()).isEqualTo(cache.stats().lookups());
    }
  }

  /** Returns how many compactions there were. */
  private long updateAndRead(BlockCache cache, CompactionOutputs outputs) throws Exception {
    try (HFileStore store =
        HFileStore.load(directory, options(0, 20_000, outputs), cache, loaded -> {})) {
      DB client = store.newClient();
      for (int round = 0; round < 3; round++) {
        updateAll(client);
        store.settle();
        for (int record = 0; record < RECORDS; record++) {
          Map<String, ByteIterator> result = new HashMap<>();
          client.read("t", KeyOrder.key(record), null, result);
          assertThat(result.get("field0")).hasToString("changed");
        }
      }
      assertThat(store.wrongValues()).isZero();
      return store.compactions();
    }
  }

  private static void updateAll(DB client) {
    for (int record = 0; record < RECORDS; record++) {
      client.update("t", KeyOrder.key(record), fields("field0", "changed"));
    }
  }

  @Test
  void shouldForkWhatWasFlushed() throws Exception {
    try (HFileStore store = HFileStore.load(directory, options(0, 20_000), null, loaded -> {})) {
      DB unchecked = store.newClient();
      for (int record = 0; record < RECORDS; record++) {
        unchecked.update("t", KeyOrder.key(record), fields("field0", "changed"));
      }
      store.settle();
      try (HFileStore fork = store.fork(null)) {
        Map<String, ByteIterator> result = new HashMap<>();
        fork.newClient().read("t", KeyOrder.key(0), Set.of("field0"), result);
        assertThat(result.get("field0")).hasToString("changed");
      }
    }
  }

  @Test
  void shouldReadThroughThePageCacheWhenDirectReadsAreRefused() throws Exception {
    Path own = Files.createDirectory(directory.resolve("refused"));
    try (HFileStore store =
        HFileStore.load(
            options(0, 1 << 20), null, loaded -> {}, own, DirectIo.refused("by the test"))) {
      assertThat(store.directIo())
          .isEqualTo(new DirectIoStatus(DirectIoStatus.Mode.REFUSED, "by the test"));
      readAll(client(store));
      assertThat(store.diskReads()).isPositive();
    }
  }

  @Test
  void shouldLeaveNothingBehind() throws Exception {
    HFileStore store = load(1 << 20, null);
    DB client = client(store);
    assertThat(filesOnDisk()).isPositive();
    store.close();
    store.close();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    assertThat(client.insert("t", "user1", fields("field0", "x"))).isEqualTo(Status.ERROR);
    assertThatThrownBy(store::settle)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldNameTheOptionThatIsOutOfRange() {
    assertThatThrownBy(() -> new StoreOptions(0, 2, 100, 4096, 0, 1, 3, CompactionOutputs.OFFER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("records is 0; it must be between 1 and 2147483647");
  }

  private long filesOnDisk() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().endsWith(".crc"))
          .count();
    }
  }

  private static Map<String, ByteIterator> fields(String name, String value) {
    return Map.of(name, new ByteArrayByteIterator(value.getBytes(UTF_8)));
  }
}
