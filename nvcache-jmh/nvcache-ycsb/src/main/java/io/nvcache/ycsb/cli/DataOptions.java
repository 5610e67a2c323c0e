// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.OptionReader;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.ycsb.store.StoreOptions;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of the data set and the store. */
final class DataOptions {
  private static final long MIB = 1L << 20;
  private static final long TIB = 1L << 40;

  private static final Map<CompactionOutputs, String> HEAT =
      Map.of(CompactionOutputs.CARRY, "on", CompactionOutputs.OFFER, "off");

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Records to load, 1000 to 1000000000. Default: ${DEFAULT-VALUE}.")
  private String records = "";

  @Option(
      names = "--field-count",
      paramLabel = "N",
      defaultValue = "10",
      description = "Fields of a record, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String fieldCount = "";

  @Option(
      names = "--field-length",
      paramLabel = "SIZE",
      defaultValue = "100",
      description = "Length of a field, 1B to 1MiB. Default: ${DEFAULT-VALUE}.")
  private String fieldLength = "";

  @Option(
      names = "--block-bytes",
      paramLabel = "SIZE",
      defaultValue = "16KiB",
      description = "The store's block size, 1KiB to 1MiB. Default: ${DEFAULT-VALUE}.")
  private String blockBytes = "";

  @Option(
      names = "--dram",
      paramLabel = "SIZE|PERCENT",
      defaultValue = "5%",
      description =
          "The store's block cache in DRAM, 64KiB to 1TiB, or a percentage of the data (records ×"
              + " fields × length). Default: ${DEFAULT-VALUE}.")
  private String dram = "";

  @Option(
      names = "--memtable",
      paramLabel = "SIZE",
      defaultValue = "4MiB",
      description =
          "Writes gathered before they are flushed to a file, 64KiB to 1GiB. Default:"
              + " ${DEFAULT-VALUE}.")
  private String memtable = "";

  @Option(
      names = "--compact-at-files",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Number of files from which they are merged, 2 to 100. Default: ${DEFAULT-VALUE}.")
  private String compactAtFiles = "";

  @Option(
      names = "--compaction-heat",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Whether second tiers cache the hot blocks of what was merged (on) or are offered every"
              + " block of it (off). Default: ${DEFAULT-VALUE}.")
  private String compactionHeat = "";

  StoreOptions read(OptionReader reader) {
    long recordCount = reader.wholeNumber("--records", records, 1000, 1_000_000_000);
    int fields = (int) reader.wholeNumber("--field-count", fieldCount, 1, 1000);
    int length = (int) reader.size("--field-length", fieldLength, 1, MIB);
    long dataBytes = recordCount * fields * length;
    return new StoreOptions(
        recordCount,
        fields,
        length,
        (int)
            reader.size(
                "--block-bytes",
                blockBytes,
                StoreOptions.MIN_BLOCK_BYTES,
                StoreOptions.MAX_BLOCK_BYTES),
        reader.sizeOfData("--dram", dram, dataBytes, MIB / 16, TIB),
        reader.size("--memtable", memtable, MIB / 16, 1024 * MIB),
        (int)
            reader.wholeNumber(
                "--compact-at-files",
                compactAtFiles,
                StoreOptions.MIN_COMPACT_AT_FILES,
                StoreOptions.MAX_COMPACT_AT_FILES),
        reader.oneOf(
            "--compaction-heat",
            compactionHeat,
            new CompactionOutputs[] {CompactionOutputs.CARRY, CompactionOutputs.OFFER},
            HEAT::get));
  }
}
