// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.LfruEviction;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The settings of NVCache in {@code hbase-site.xml}. Only {@link #CAPACITY_BYTES} must be set. A
 * value out of range stops the building of the cache with an {@link IllegalArgumentException} that
 * names the key, the value, the range and the remedy.
 */
public final class NvCacheConfiguration {
  /** What to cache on: {@code native} memory (the default) or a {@code mapped} file. */
  public static final String MEDIUM = "hbase.nvcache.medium";

  /** The file to map, for the mapped medium. */
  public static final String PATH = "hbase.nvcache.path";

  /** How much to cache, in bytes. */
  public static final String CAPACITY_BYTES = "hbase.nvcache.capacity.bytes";

  /** What to admit: {@code standard} (the default), {@code paper} or {@code all}. */
  public static final String ADMISSION = "hbase.nvcache.admission";

  /** What to evict: {@code clock} (the default), {@code lfru} or {@code fifo}. */
  public static final String EVICTION = "hbase.nvcache.eviction";

  /** Medium writes per lookup above which nothing is admitted, 0 to 10; default 0.10. */
  public static final String OVERHEAD_TARGET = "hbase.nvcache.overhead.target";

  /**
   * A file of {@code nvcache calibrate --json}, for its overhead target; the setting above wins.
   */
  public static final String CALIBRATION = "hbase.nvcache.calibration";

  /** DRAM that the page cache may fill; 0 turns the small bypass off; default the machine's. */
  public static final String SMALL_BYPASS_DRAM_BYTES = "hbase.nvcache.smallbypass.dram.bytes";

  /** The part of the data set that has to fit in that DRAM, above 0, to 1; default 0.5. */
  public static final String SMALL_BYPASS_FRACTION = "hbase.nvcache.smallbypass.fraction";

  /** The mean length of a block, 64 B to 16 MiB; sizes the index; default HBase's 64 KiB. */
  public static final String EXPECTED_BLOCK_BYTES = "hbase.nvcache.block.expected.bytes";

  /** The longest block to cache, 4 KiB to 16 MiB; default 256 KiB. */
  public static final String MAX_BLOCK_BYTES = "hbase.nvcache.block.max.bytes";

  private static final int MIB = 1 << 20;

  private final Configuration configuration;

  private NvCacheConfiguration(Configuration configuration) {
    this.configuration = configuration;
  }

  /** Builds the cache that the settings ask for. */
  static BlockCache build(Configuration configuration) {
    NvCacheConfiguration settings = new NvCacheConfiguration(configuration);
    BlockCacheBuilder builder = BlockCache.builder();
    settings.chooseMedium(builder);
    return settings.choosePolicies(builder).build();
  }

  private void chooseMedium(BlockCacheBuilder builder) {
    required(CAPACITY_BYTES, "set it to the bytes that HBase may use for caching below DRAM");
    long capacityBytes = integer(CAPACITY_BYTES, 0, 1, Long.MAX_VALUE);
    String medium = choice(MEDIUM, "native", "mapped");
    if (medium.equals("mapped")) {
      Path path = Path.of(required(PATH, "the mapped medium needs it: set it to a file's name"));
      builder.mappedFile(path, capacityBytes);
    } else {
      builder.nativeMemory(capacityBytes);
    }
  }

  private BlockCacheBuilder choosePolicies(BlockCacheBuilder builder) {
    builder.admission(admission()).eviction(eviction());
    builder.expectedBlockBytes(
        (int) integer(EXPECTED_BLOCK_BYTES, HConstants.DEFAULT_BLOCKSIZE, 64, 16 * MIB));
    builder.maxBlockBytes((int) integer(MAX_BLOCK_BYTES, MIB / 4, 4096, 16 * MIB));
    if (isSet(CALIBRATION)) {
      builder.calibration(Path.of(configuration.getTrimmed(CALIBRATION)));
    }
    if (isSet(OVERHEAD_TARGET)) {
      builder.overheadTarget(ratio(OVERHEAD_TARGET, 0, 10));
    }
    if (isSet(SMALL_BYPASS_DRAM_BYTES)) {
      builder.smallBypassDramBytes(integer(SMALL_BYPASS_DRAM_BYTES, 0, 0, Long.MAX_VALUE));
    }
    if (isSet(SMALL_BYPASS_FRACTION)) {
      builder.smallBypassFraction(ratio(SMALL_BYPASS_FRACTION, Double.MIN_VALUE, 1));
    }
    return builder;
  }

  private AdmissionFactory admission() {
    return switch (choice(ADMISSION, "standard", "paper", "all")) {
      case "paper" -> AdmissionPresets.paper();
      case "all" -> AdmissionPresets.admitAll();
      default -> AdmissionPresets.standard();
    };
  }

  private EvictionFactory eviction() {
    return switch (choice(EVICTION, "clock", "lfru", "fifo")) {
      case "lfru" -> LfruEviction::new;
      case "fifo" -> FifoEviction::new;
      default -> ClockEviction::new;
    };
  }

  private boolean isSet(String key) {
    return !configuration.getTrimmed(key, "").isEmpty();
  }

  private String required(String key, String remedy) {
    if (!isSet(key)) {
      throw new IllegalArgumentException(key + " is not set; " + remedy);
    }
    return configuration.getTrimmed(key);
  }

  /** One of the words, the first of which is the default. */
  private String choice(String key, String... words) {
    String value = configuration.getTrimmed(key, words[0]);
    for (String word : words) {
      if (word.equals(value)) {
        return word;
      }
    }
    throw outOfRange(key, "one of " + String.join(", ", words));
  }

  private long integer(String key, long byDefault, long min, long max) {
    String range = "a whole number from " + min + " to " + max;
    long value;
    try {
      value = isSet(key) ? Long.parseLong(configuration.getTrimmed(key)) : byDefault;
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (value < min || value > max) {
      throw outOfRange(key, range);
    }
    return value;
  }

  private double ratio(String key, double min, double max) {
    String range = "a number " + (min > 0 ? "above 0, up to " : "from 0 to ") + max;
    double value;
    try {
      value = Double.parseDouble(configuration.getTrimmed(key));
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (!(value >= min && value <= max)) {
      throw outOfRange(key, range);
    }
    return value;
  }

  private IllegalArgumentException outOfRange(String key, String range) {
    return new IllegalArgumentException(
        key
            + " is '"
            + configuration.getTrimmed(key)
            + "'; it must be "
            + range
            + "; change or remove it in hbase-site.xml");
  }
}
