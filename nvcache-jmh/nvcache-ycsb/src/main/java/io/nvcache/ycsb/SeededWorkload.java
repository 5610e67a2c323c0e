// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.trace.Zipfian;
import io.nvcache.ycsb.WorkloadChoice.Distribution;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import site.ycsb.ByteIterator;
import site.ycsb.Utils;
import site.ycsb.WorkloadException;
import site.ycsb.generator.DiscreteGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with two differences: each client's choices follow from a seed, so that
 * every policy meets the same operations, and the values that come back are checked and counted
 * here.
 *
 * <p>The mix, the keys, the values and the shape of the distributions are YCSB's.
 */
final class SeededWorkload extends CoreWorkload {
  /** YCSB scrambles ranks among this many items, whatever the number of records. */
  private static final Zipfian SCRAMBLED = new Zipfian(10_000_000_001L);

  private static final int LONGEST_SCAN = 100;

  private final YcsbSettings settings;
  private final WorkloadChoice workload;
  private final ThreadLocal<SplittableRandom> random =
      ThreadLocal.withInitial(() -> new SplittableRandom(0));
  private final LongAdder verified = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  private SeededWorkload(YcsbSettings settings, WorkloadChoice workload) {
    this.settings = settings;
    this.workload = workload;
  }

  /** Makes a workload at the state right after the load. */
  static SeededWorkload create(YcsbSettings settings, WorkloadChoice workload)
      throws WorkloadException {
    Properties properties = properties(settings, workload);
    // CoreWorkload reaches for this global while it is constructed.
    Measurements.setProperties(properties);
    SeededWorkload created = new SeededWorkload(settings, workload);
    created.init(properties);
    return created;
  }

  private static Properties properties(YcsbSettings settings, WorkloadChoice workload) {
    Properties properties = new Properties();
    workload.putInto(properties);
    properties.setProperty("recordcount", Long.toString(settings.data().records()));
    properties.setProperty("operationcount", Long.toString(settings.run().operations()));
    properties.setProperty(FIELD_COUNT_PROPERTY, Integer.toString(settings.data().fieldCount()));
    properties.setProperty(
        FIELD_LENGTH_PROPERTY, Integer.toString(settings.data().fieldLengthBytes()));
    properties.setProperty(DATA_INTEGRITY_PROPERTY, "true");
    properties.setProperty(MAX_SCAN_LENGTH_PROPERTY, Integer.toString(LONGEST_SCAN));
    return properties;
  }

  @Override
  public void init(Properties properties) throws WorkloadException {
    super.init(properties);
    operationchooser = new SeededOperations(workload, random::get);
    keychooser = seeded(keys(settings.distributionOf(workload)));
    fieldchooser = seeded(draws -> draws.nextLong(fieldcount));
    scanlength = seeded(draws -> 1 + draws.nextLong(LONGEST_SCAN));
  }

  private ToLongFunction<SplittableRandom> keys(Distribution distribution) {
    long records = settings.data().records();
    // As YCSB: the hot set must not move with each insert, so room for them is reckoned in at once.
    long keys = records + (long) (2 * workload.insertShare() * settings.run().operations());
    return switch (distribution) {
      case UNIFORM -> draws -> draws.nextLong(records);
      case ZIPFIAN -> draws -> Utils.fnvhash64(SCRAMBLED.rank(draws.nextDouble())) % keys;
      case LATEST ->
          draws -> {
            long newest = transactioninsertkeysequence.lastValue();
            return newest - new Zipfian(newest).rank(draws.nextDouble());
          };
    };
  }

  /** Lets the calling thread's choices come from this source from now on. */
  void drawFrom(SplittableRandom source) {
    random.set(source);
  }

  /** Rows read and checked. */
  long verifiedReads() {
    return verified.sum();
  }

  /** Rows among them that were not what was written. */
  long wrongReads() {
    return wrong.sum();
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  protected void verifyRow(String key, HashMap<String, ByteIterator> cells) {
    verified.increment();
    boolean right = cells.size() == fieldcount;
    for (var cell : cells.entrySet()) {
      right &= valueOf(key, cell.getKey()).equals(cell.getValue().toString());
    }
    if (!right) {
      wrong.increment();
    }
  }

  /** The value that CoreWorkload writes to a field when asked for data integrity. */
  private String valueOf(String key, String field) {
    int length = settings.data().fieldLengthBytes();
    StringBuilder value = new StringBuilder(length + 16).append(key).append(':').append(field);
    while (value.length() < length) {
      value.append(':').append(value.toString().hashCode());
    }
    value.setLength(length);
    return value.toString();
  }

  private NumberGenerator seeded(ToLongFunction<SplittableRandom> draw) {
    return new NumberGenerator() {
      @Override
      public Number nextValue() {
        return draw.applyAsLong(random.get());
      }

      @Override
      public double mean() {
        throw new UnsupportedOperationException("YCSB's client never asks");
      }
    };
  }

  /** Draws the kind of each operation from the calling thread's source. */
  private static final class SeededOperations extends DiscreteGenerator {
    private final Map<String, Double> shares;
    private final Supplier<SplittableRandom> random;

    SeededOperations(WorkloadChoice workload, Supplier<SplittableRandom> random) {
      this.shares = workload.shares();
      this.random = random;
    }

    @Override
    public String nextValue() {
      double left = random.get().nextDouble();
      String possible = "";
      for (Map.Entry<String, Double> operation : shares.entrySet()) {
        if (operation.getValue() > 0) {
          possible = operation.getKey();
          left -= operation.getValue();
        }
        if (left < 0) {
          break;
        }
      }
      // Where rounding leaves a rest, the last possible operation takes it.
      return possible;
    }
  }
}
