// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.control.BlockWalk;
import io.nvcache.control.CacheControl;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.CacheListener;
import io.nvcache.control.Condition;
import io.nvcache.control.DataSet;
import io.nvcache.control.ReasonLedger;
import io.nvcache.control.RestoreReport;
import io.nvcache.internal.background.Rounds;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.health.Health;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.read.Peeks;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.tune.LiveTuning;
import io.nvcache.shadow.LiveShadows;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Hands each call of an operator or a host to the class that serves it.
 *
 * @param state reads the cache's health
 * @param files counts the blocks of a file
 * @param walks makes walks over the index
 * @param peeks looks at single blocks
 * @param restored reports what was restored
 * @param medium what the blocks lie on, in words
 * @param blocksAtOnce that a batch reads
 * @param hold keeps the cache open while an operator has this
 */
record Controls(
    EngineSettings settings,
    DataSet dataSet,
    LiveShadows shadows,
    LiveTuning tuning,
    Health state,
    StatsReader stats,
    Rounds rounds,
    FileTable files,
    Supplier<BlockWalk> walks,
    Peeks peeks,
    Supplier<RestoreReport> restored,
    String medium,
    int blocksAtOnce,
    Shutdown shutdown,
    CallersHold hold)
    implements CacheControl {
  @Override
  public CacheHealth health() {
    return state.read();
  }

  @Override
  public Map<Condition, String> conditions() {
    return state.conditions();
  }

  @Override
  public RestoreReport restore() {
    return restored.get();
  }

  @Override
  public ReasonLedger ledger() {
    return stats.readLedger();
  }

  @Override
  public void takeOutOfService(String reason) {
    state.takeOutOfService(reason);
  }

  @Override
  public void returnToService() {
    state.returnToService();
  }

  @Override
  public void addListener(CacheListener listener) {
    state.addListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeListener(CacheListener listener) {
    state.removeListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addStoreDirectory(Path directory) {
    state.addStoreDirectory(Objects.requireNonNull(directory, "directory"));
  }

  @Override
  public void reportNoGain(String reason) {
    state.reportNoGain(Objects.requireNonNull(reason, "reason"));
  }

  @Override
  public void addCompanion(AutoCloseable companion) {
    shutdown.addCompanion(Objects.requireNonNull(companion, "companion"));
  }

  @Override
  public void removeCompanion(AutoCloseable companion) {
    shutdown.removeCompanion(Objects.requireNonNull(companion, "companion"));
  }

  @Override
  public BlockWalk walk() {
    return walks.get();
  }

  @Override
  public long countBlocks(long fileId) {
    return files.blocks(fileId);
  }

  @Override
  public int peek(long fileId, long offset, ByteBuffer dst) {
    return peeks.peek(fileId, offset, Objects.requireNonNull(dst, "dst"));
  }

  @Override
  public void maintain() {
    shutdown.refuseToWaitForItself(); // A round has a monitor before it comes to the gate.
    rounds.run();
  }
}
