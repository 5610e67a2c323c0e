// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.admission.WorthAdmission;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.eviction.Sweep;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.memory.OffHeapBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that shares parts between caches, closes them under a cache, or keeps what a cache
 * handed out beyond its life. Each scene prints one line, if the process lives to do so.
 */
public final class OwnershipFaults {
  private static final int BLOCK = 4096;
  private static final int CAPACITY = 8 << 20;

  private final Path directory;

  private OwnershipFaults(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] arguments) throws Exception {
    OwnershipFaults run = new OwnershipFaults(Path.of(arguments[1]));
    String part = arguments.length > 2 ? arguments[2] : "";
    switch (arguments[0]) {
      case "mediumTwice" -> run.mediumTwice(part);
      case "mediumAgain" -> run.mediumAgain(part);
      case "mediumClosedUnder" -> run.mediumClosedUnder(part);
      case "mediumClosedBefore" -> run.mediumClosedBefore(part);
      case "policyTwice" -> run.policyTwice(part);
      case "policyClosedUnder" -> run.policyClosedUnder(part);
      case "marks" -> run.marks();
      case "sweep" -> run.sweep();
      case "parts" -> run.partsByHand();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .admission(AdmissionPresets.admitAll())
        .eviction(FifoEviction::new)
        .maxBlockBytes(BLOCK)
        .expectedBlockBytes(BLOCK)
        .maintainedByCaller();
  }

  private Medium medium(String kind) throws IOException {
    return switch (kind) {
      case "native" -> NativeMedium.allocate(CAPACITY);
      case "mapped" ->
          MappedFileMedium.create(directory.resolve("medium"), CAPACITY, CloseAction.DELETE);
      case "encrypted" -> EncryptedMedium.over(NativeMedium.allocate(CAPACITY));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static ByteBuffer block(int value) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block.put(i, (byte) value);
    }
    return block;
  }

  private static void fill(BlockCache cache, int blocks) {
    for (int i = 0; i < blocks; i++) {
      cache.offer(1, i * (long) BLOCK, block(i), Source.READ);
    }
  }

  /** Whether each block that the cache has is the one that was offered. */
  private static String right(BlockCache cache, int blocks) {
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    int right = 0;
    for (int i = 0; i < blocks; i++) {
      int length = cache.get(1, i * (long) BLOCK, dst.clear());
      right += length == BLOCK && dst.get(BLOCK - 1) == (byte) i ? 1 : 0;
    }
    return " right " + right;
  }

  private static String outcome(Call call) {
    try {
      call.run();
      return "done";
    } catch (Throwable e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  @FunctionalInterface
  private interface Call {
    void run() throws Exception;
  }

  private void mediumTwice(String kind) throws Exception {
    Medium medium = medium(kind);
    try (BlockCache cache = builder().medium(medium).build()) {
      fill(cache, 100);
      System.out.print(outcome(() -> builder().medium(medium).build().close()));
      System.out.println(right(cache, 100));
    }
  }

  private void mediumAgain(String kind) throws Exception {
    Medium medium = medium(kind);
    builder().medium(medium).build().close();
    System.out.println(
        outcome(
            () -> {
              try (BlockCache cache = builder().medium(medium).build()) {
                fill(cache, 100);
              }
            }));
  }

  private void mediumClosedUnder(String kind) throws Exception {
    Medium medium = medium(kind);
    try (BlockCache cache = builder().medium(medium).build()) {
      fill(cache, 100);
      System.out.print(outcome(medium::close));
      System.out.print(right(cache, 100));
    }
    System.out.println(", then " + outcome(medium::close));
  }

  private void mediumClosedBefore(String kind) throws Exception {
    Medium medium = medium(kind);
    medium.close();
    System.out.print(outcome(() -> medium.read(0, ByteBuffer.allocate(BLOCK), BLOCK)));
    System.out.print("; " + outcome(() -> medium.write(0, block(1))));
    System.out.println("; " + outcome(() -> builder().medium(medium).build().close()));
  }

  private void policyTwice(String kind) throws Exception {
    List<EvictionPolicy> evictions = new ArrayList<>();
    List<AdmissionPolicy> admissions = new ArrayList<>();
    BlockCacheBuilder[] builders = {builder(), builder()};
    for (BlockCacheBuilder builder : builders) {
      builder.nativeMemory(CAPACITY);
      if (kind.equals("admission")) {
        builder
            .eviction(WorthEviction::new)
            .admission(context -> only(admissions, () -> new WorthAdmission(context)));
      } else {
        builder.eviction(context -> only(evictions, () -> eviction(kind, context)));
      }
    }
    BlockCache first = builders[0].build();
    fill(first, 100);
    System.out.print(outcome(() -> builders[1].build().close()));
    System.out.print(kind.equals("admission") ? "" : right(first, 100));
    first.close();
    BlockCacheBuilder third = builder().nativeMemory(CAPACITY);
    if (kind.equals("admission")) {
      third.admission(context -> admissions.get(0));
    } else {
      third.eviction(context -> evictions.get(0));
    }
    System.out.println("; " + outcome(() -> third.build().close()));
  }

  private static EvictionPolicy eviction(String kind, EvictionContext context) {
    return switch (kind) {
      case "fifo" -> new FifoEviction(context);
      case "lfru" -> new LfruEviction(context);
      case "clock" -> new ClockEviction(context);
      case "worth" -> new WorthEviction(context);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static <T> T only(List<T> made, java.util.function.Supplier<T> factory) {
    if (made.isEmpty()) {
      made.add(factory.get());
    }
    return made.get(0);
  }

  private void policyClosedUnder(String kind) throws Exception {
    List<EvictionPolicy> made = new ArrayList<>();
    BlockCacheBuilder builder =
        builder().nativeMemory(CAPACITY).eviction(c -> only(made, () -> eviction(kind, c)));
    try (BlockCache cache = builder.build()) {
      fill(cache, 100);
      System.out.print(outcome(made.get(0)::close));
      fill(cache, 100);
      System.out.print(right(cache, 100));
    }
    made.get(0).close();
    System.out.println("; " + outcome(() -> made.get(0).onAdmit(1)));
  }

  private void marks() {
    List<EvictionContext> kept = new ArrayList<>();
    BlockCache cache =
        builder()
            .nativeMemory(CAPACITY)
            .eviction(
                context -> {
                  kept.add(context);
                  return new ClockEviction(context);
                })
            .build();
    fill(cache, 100);
    System.out.print(outcome(() -> kept.get(0).marks().set(1 << 30, 1)) + "; ");
    cache.close();
    System.out.print(outcome(() -> kept.get(0).marks().set(1, 1)));
    System.out.print("; " + outcome(() -> kept.get(0).marks().get(1)));
    System.out.println("; " + outcome(() -> kept.get(0).marks().row(0)));
  }

  private void sweep() throws Exception {
    AtomicLong now = new AtomicLong();
    List<Sweep> kept = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    BlockCache cache =
        builder()
            .nativeMemory(CAPACITY)
            .testing(TestHook.nanoTime(now::get))
            .eviction(
                context ->
                    new Sweeping(context) {
                      @Override
                      public void sweep(Sweep sweep) {
                        kept.add(sweep);
                        Thread other = new Thread(() -> elsewhere.add(outcome(sweep::usedBytes)));
                        other.start();
                        try {
                          other.join();
                        } catch (InterruptedException e) {
                          throw new IllegalStateException(e);
                        }
                      }
                    })
            .build();
    fill(cache, 100);
    now.addAndGet(2_000_000_000L);
    cache.control().maintain();
    System.out.print(elsewhere.get(0) + "; " + outcome(() -> kept.get(0).evict(0)));
    System.out.print(right(cache, 100));
    cache.close();
    System.out.println("; " + outcome(() -> kept.get(0).pinned(0)));
  }

  /** A policy that a scene lets sweep in its own way. */
  private abstract static class Sweeping implements EvictionPolicy {
    private final FifoEviction order;

    Sweeping(EvictionContext context) {
      this.order = new FifoEviction(context);
    }

    @Override
    public void onAdmit(int slot) {
      order.onAdmit(slot);
    }

    @Override
    public void onHit(int slot) {}

    @Override
    public void onRemove(int slot) {
      order.onRemove(slot);
    }

    @Override
    public int victim() {
      return order.victim();
    }

    @Override
    public long metadataBytes() {
      return order.metadataBytes();
    }

    @Override
    public void close() {
      order.close();
    }
  }

  private void partsByHand() {
    OffHeapBytes bytes = OffHeapBytes.zeroed(64, 8);
    System.out.print(outcome(() -> bytes.putLong(1L << 40, 1)));
    bytes.close();
    bytes.close();
    System.out.print("; " + outcome(() -> bytes.putLong(0, 1)));
    try (FifoEviction policy =
        new FifoEviction(new EvictionContext(10, null, null, System::nanoTime))) {
      System.out.println("; " + outcome(() -> policy.onAdmit(1 << 28)));
    }
  }
}
