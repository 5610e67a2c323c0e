// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/** Writes the records of a new store. The caches hear nothing of it: they shall start cold. */
final class Loader {
  private static final int PROGRESS_STEP = 10_000;

  private final StoreOptions options;
  private final TableFiles files;
  private final LongConsumer progress;
  private final RecordCodec codec;
  private long loaded;

  Loader(StoreOptions options, TableFiles files, LongConsumer progress) {
    this.options = options;
    this.files = files;
    this.progress = progress;
    this.codec = new RecordCodec(options.fieldCount());
  }

  /** Writes all records and returns the files, in order. */
  List<Path> load() throws IOException {
    try (TableWriter writer = new TableWriter(files, CacheConfig.DISABLED)) {
      new KeyOrder((int) options.records()).forEach(key -> append(writer, key));
      progress.accept(loaded);
      return writer.finish();
    }
  }

  private void append(TableWriter writer, String key) throws IOException {
    byte[][] fields = new byte[options.fieldCount()][];
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          DeterministicFields.value(key, DeterministicFields.name(i), options.fieldLengthBytes());
    }
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    writer.append(keyBytes, codec.encode(keyBytes, fields));
    if (++loaded % PROGRESS_STEP == 0) {
      progress.accept(loaded);
    }
  }
}
