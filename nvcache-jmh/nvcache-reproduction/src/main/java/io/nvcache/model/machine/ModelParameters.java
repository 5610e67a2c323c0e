// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import io.nvcache.device.DeviceParameters;

/**
 * Everything the model assumes about the machine and the store, each with its source. Sizes and
 * durations are divided by the scale of a run; rates, latencies and processor times are not.
 *
 * <p><b>Sources.</b> [P] A. Fedorova et al., "Writes Hurt", SoCC 2022. [W] WiredTiger's defaults,
 * dist/api_data.py. [Y] J. Yang et al., "An Empirical Guide to the Behavior and Use of Scalable
 * Persistent Memory", FAST 2020. [F] fitted to the figures of [P], so they are no evidence for it.
 *
 * @param nvram readers and writers of the cache's medium; [P] Figs. 1 and 2
 * @param memoryModeNvram the same behind Memory Mode, where the hardware moves whole lines,
 *     combines writes, and no reader waits for them: 2.3 GB/s a DIMM as in [Y], [F] without
 *     interference
 * @param dramReadBytesPerSecond of eight readers; only Fig. 2's curve of DRAM uses it, [P]
 * @param dramCrowding f and e of 1 / (1 + f·w^e), what w writers leave of it; [P] Fig. 2, exact at
 *     one and eight
 * @param dramCrowdingExponent e of the same
 * @param ssdReadBytesPerSecond shared by all jobs of the disk, [P] §3.2.1
 * @param ssdWriteBytesPerSecond the same, [P] §3.2.1
 * @param ssdLatencySeconds before the first byte, an Optane P4800X
 * @param cores [P] §3.2.1
 * @param hardwareThreads that can access memory at once, NVRAM included, because it is read and
 *     written by loads and stores; [P] §3.2.1
 * @param operationSeconds processor time of an operation on a page in memory
 * @param decodeSeconds of making a page of a block, [F]
 * @param ssdIoSeconds of a system call that goes to the disk
 * @param osHitSeconds of one that the kernel's buffer cache serves
 * @param nvramHitSeconds of a lookup that hits, the latency of a small read included ([P] §2.1)
 * @param reconcileSeconds of making a block of a changed page, [F]
 * @param blockBytes "a dozen kilobytes" ([P] §4.1.1) and up; WiredTiger's leaf pages of 32 KB, less
 *     their free part
 * @param allocationBytes what PMDK's allocator writes for each block put in, in addition to the
 *     block
 * @param removalBytes what it writes for each block taken out, [F]
 * @param dirtyShare of the page cache from which changed pages are cleaned, [W]
 * @param evictionWorkers threads that clean them, [W]
 * @param checkpointSeconds between two checkpoints, [W]
 * @param recordsPerPage of 1 KB
 * @param glanceBytes of a page that an operation touches, where that is asked for: a search and a
 *     record
 * @param kernelGb of DRAM that no cache gets: the kernel with its descriptors of NVDIMM pages, 64
 *     bytes for 4096, so 4 GB; the store beyond its cache and the clients, 2 GB, [F]
 * @param dramPerNvramByte of DRAM that the cache's index takes, "a couple of GB" for 252 (the
 *     earlier version of [P], §3.2.1)
 * @param nvramPrice of a byte relative to DRAM, [P] §4.2
 */
public record ModelParameters(
    DeviceParameters nvram,
    DeviceParameters memoryModeNvram,
    double dramReadBytesPerSecond,
    double dramCrowding,
    double dramCrowdingExponent,
    double ssdReadBytesPerSecond,
    double ssdWriteBytesPerSecond,
    double ssdLatencySeconds,
    int cores,
    int hardwareThreads,
    double operationSeconds,
    double decodeSeconds,
    double ssdIoSeconds,
    double osHitSeconds,
    double nvramHitSeconds,
    double reconcileSeconds,
    int blockBytes,
    int allocationBytes,
    int removalBytes,
    double dirtyShare,
    int evictionWorkers,
    double checkpointSeconds,
    int recordsPerPage,
    int glanceBytes,
    double kernelGb,
    double dramPerNvramByte,
    double nvramPrice) {
  private static final double MICRO = 1e-6;

  /** The machine of the paper. */
  public static final ModelParameters PAPER =
      new ModelParameters(
          DeviceParameters.OPTANE,
          new DeviceParameters(12e9, 2.5e9, 2.3e9, 2, 0, 0, 0),
          12e9 / 0.5, // Fig. 2 shows relative losses; twice NVRAM's reads, as its latencies are.
          0.2195,
          0.4316,
          2.5e9,
          2.2e9,
          10 * MICRO,
          32,
          64,
          4 * MICRO,
          25 * MICRO,
          4 * MICRO,
          8 * MICRO,
          1 * MICRO,
          350 * MICRO,
          28 << 10,
          256,
          3 << 10,
          0.2,
          4,
          60,
          28,
          2 << 10,
          6,
          2.0 / 252,
          0.38);

  /** The same with another medium under the cache. */
  public ModelParameters withNvram(DeviceParameters other) {
    return new ModelParameters(
        other,
        memoryModeNvram,
        dramReadBytesPerSecond,
        dramCrowding,
        dramCrowdingExponent,
        ssdReadBytesPerSecond,
        ssdWriteBytesPerSecond,
        ssdLatencySeconds,
        cores,
        hardwareThreads,
        operationSeconds,
        decodeSeconds,
        ssdIoSeconds,
        osHitSeconds,
        nvramHitSeconds,
        reconcileSeconds,
        blockBytes,
        allocationBytes,
        removalBytes,
        dirtyShare,
        evictionWorkers,
        checkpointSeconds,
        recordsPerPage,
        glanceBytes,
        kernelGb,
        dramPerNvramByte,
        nvramPrice);
  }

  /** What so many writers leave of the reads of eight readers of DRAM, as a ratio. */
  public double dramReadShare(int writers) {
    return writers == 0
        ? 1
        : 1 / (1 + dramCrowding * StrictMath.pow(writers, dramCrowdingExponent));
  }
}
