// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.bench.restart.RestartBench.Engine;
import io.nvcache.bench.restart.RestartBench.Stop;
import io.nvcache.report.Measurements;
import java.nio.file.Path;
import java.util.List;

/**
 * One cache that is filled, stopped and opened again.
 *
 * @param engine of it
 * @param stop how it ends
 * @param blocks that it is filled with
 * @param blockBytes of each
 * @param isListed whether the bytes of most blocks are dropped; {@link ListingMedium}
 * @param directory of its files, and of nothing else
 */
record RestartRun(
    Engine engine, Stop stop, int blocks, int blockBytes, boolean isListed, Path directory) {
  private static final int FIELDS = 6;

  /** Returns what {@link #parse} takes. */
  List<String> toArguments() {
    return List.of(
        engine.name(),
        stop.name(),
        Integer.toString(blocks),
        Integer.toString(blockBytes),
        Boolean.toString(isListed),
        directory.toString());
  }

  static RestartRun parse(List<String> arguments) {
    if (arguments.size() != FIELDS) {
      throw new IllegalArgumentException("arguments are " + arguments);
    }
    return new RestartRun(
        Engine.valueOf(arguments.get(0)),
        Stop.valueOf(arguments.get(1)),
        Integer.parseInt(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Boolean.parseBoolean(arguments.get(4)),
        Path.of(arguments.get(5)));
  }

  /** Returns a list for what is measured of this run. */
  Measurements labelled(Measurements all) {
    return all.with("block_bytes", blockBytes)
        .with("blocks", blocks)
        .with("engine", engine.label())
        .with("medium", isListed ? "listed" : "drive")
        .with("stop", stop.label());
  }

  /** Opens the cache on what lies in the directory. */
  RestartedCache open() {
    return engine == Engine.NVCACHE ? new RestartedNvCache(this) : new RestartedBucketCache(this);
  }
}
