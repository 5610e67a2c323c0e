// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.BlockWalk;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.ArenaBuffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A process whose caller hands in buffers that are read-only, freed, or mapped from a file that was
 * cut short. Each scene prints one line, if the process lives to do so.
 */
public final class CallerFaults {
  private static final int BLOCK = 64 << 10;
  private static final int OFFERS = 200;
  private static final long STALE_FILE = 7;
  private static final byte STALE = 0x77;

  private final Path directory;

  private CallerFaults(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] arguments) throws Exception {
    CallerFaults run = new CallerFaults(Path.of(arguments[1]));
    switch (arguments[0]) {
      case "peek" -> run.peek();
      case "read" -> run.readMedium();
      case "media" -> run.media();
      case "source" -> run.source(Checksum.valueOf(arguments[2]), Integer.parseInt(arguments[3]));
      case "pin" -> run.pinOfOtherCache();
      case "target" -> run.target(Boolean.parseBoolean(arguments[2]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .admission(AdmissionPresets.admitAll())
        .eviction(FifoEviction::new)
        .maxBlockBytes(BLOCK)
        .expectedBlockBytes(4096)
        .maintainedByCaller();
  }

  private static ByteBuffer block(int value, int length) {
    ByteBuffer block = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      block.put(i, (byte) value);
    }
    return block;
  }

  private static String outcome(ThrowingCall call) {
    try {
      return String.valueOf(call.run());
    } catch (Throwable e) {
      return e.getClass().getSimpleName();
    }
  }

  @FunctionalInterface
  private interface ThrowingCall {
    Object run() throws Exception;
  }

  private void peek() throws Exception {
    try (BlockCache cache = builder().nativeMemory(32 << 20).build();
        BlockCache other = builder().nativeMemory(32 << 20).build()) {
      cache.offer(1, 0, block(1, 4096), Source.READ);
      other.offer(2, 0, block(2, 4096), Source.READ);
      BlockWalk walk = cache.control().walk();
      System.out.print("found " + walk.next());
      System.out.print(
          ", read-only " + outcome(() -> walk.peek(ByteBuffer.allocate(4096).asReadOnlyBuffer())));
      try (PinnedBlock pinned = other.pin(2, 0)) {
        System.out.print(", other cache's " + outcome(() -> walk.peek(pinned.buffer())));
      }
      if (Runtime.version().feature() >= 22) {
        ArenaBuffer arena = new ArenaBuffer(4096);
        arena.close();
        System.out.print(", freed " + outcome(() -> walk.peek(arena.buffer())));
      }
      ByteBuffer dst = ByteBuffer.allocate(4096);
      System.out.println(", then " + other.get(2, 0, dst) + " bytes of " + dst.get(0));
    }
  }

  private void readMedium() {
    try (NativeMedium medium = NativeMedium.allocate(1 << 20)) {
      System.out.println(
          "read-only "
              + outcome(
                  () -> {
                    medium.read(0, ByteBuffer.allocate(4096).asReadOnlyBuffer(), 4096);
                    return "read";
                  }));
    }
  }

  /** Media that are used without a cache. */
  private void media() throws Exception {
    MappedByteBuffer cut = cutShort("media", () -> {});
    ByteBuffer freed = cut;
    if (Runtime.version().feature() >= 22) {
      ArenaBuffer arena = new ArenaBuffer(4 << 20);
      arena.close();
      freed = arena.buffer();
    }
    for (Medium medium :
        List.of(
            NativeMedium.allocate(1 << 20),
            MappedFileMedium.create(directory.resolve("medium"), 1 << 20, CloseAction.DELETE),
            EncryptedMedium.over(NativeMedium.allocate(1 << 20)))) {
      try (medium) {
        medium.write(0, block(7, BLOCK));
        for (ByteBuffer gone : List.of(cut, freed)) {
          System.out.print(
              outcome(() -> use(() -> medium.write(BLOCK, gone, 8192, BLOCK)))
                  + " "
                  + outcome(() -> use(() -> medium.read(0, gone.duplicate().position(8192), BLOCK)))
                  + ", ");
        }
        ByteBuffer dst = ByteBuffer.allocate(BLOCK);
        medium.read(0, dst, BLOCK);
        System.out.println("right " + dst.equals(block(7, BLOCK)));
      }
    }
  }

  private static String use(ThrowingAct act) throws Exception {
    act.run();
    return "done";
  }

  @FunctionalInterface
  private interface ThrowingAct {
    void run() throws Exception;
  }

  /** Of which a later page is gone, so that a look at the first byte tells nothing. */
  private MappedByteBuffer cutShort(String name, Runnable before) throws Exception {
    Path path = Files.write(directory.resolve(name), new byte[4 << 20]);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapping = file.map(FileChannel.MapMode.READ_WRITE, 0, 4 << 20);
      mapping.put(0, (byte) 1);
      before.run();
      file.truncate(100);
      return mapping;
    }
  }

  private void source(Checksum checksum, int warmUp) throws Exception {
    try (BlockCache cache = builder().nativeMemory(32 << 20).checksum(checksum).build()) {
      MappedByteBuffer sound =
          FileChannel.open(
                  Files.write(directory.resolve("sound"), new byte[BLOCK]), StandardOpenOption.READ)
              .map(FileChannel.MapMode.READ_ONLY, 0, BLOCK);
      MappedByteBuffer mapping =
          cutShort(
              "source",
              () -> {
                for (int i = 0;
                    i < warmUp;
                    i++) { // Until it is compiled code that meets the fault.
                  cache.offer(8, (i % 64) * (long) BLOCK, sound, Source.READ);
                  if (i % 64 == 63) {
                    cache.invalidateFile(8);
                    cache.control().maintain();
                  }
                }
              });
      cache.invalidateFile(8);
      for (int i = 0; i < 400; i++) {
        cache.offer(STALE_FILE, i * (long) BLOCK, block(STALE, BLOCK), Source.READ);
      }
      cache.invalidateFile(STALE_FILE);
      cache.control().maintain();
      cache.offer(9, 0, block(9, BLOCK), Source.READ);
      int admitted = 0;
      int thrown = 0;
      for (int i = 0; i < OFFERS; i++) {
        ByteBuffer source = mapping.duplicate().position(0).limit(BLOCK);
        long offset = i * (long) BLOCK;
        boolean lazily = i % 2 == 1;
        try {
          OfferResult result =
              lazily
                  ? cache.offer(1, offset, BLOCK, () -> source, Source.READ)
                  : cache.offer(1, offset, source, Source.READ);
          admitted += result == OfferResult.ADMITTED ? 1 : 0;
        } catch (InternalError e) {
          thrown++;
        }
      }
      int hits = 0;
      ByteBuffer dst = ByteBuffer.allocate(BLOCK);
      for (int i = 0; i < OFFERS; i++) {
        hits += cache.get(1, i * (long) BLOCK, dst.clear()) == BlockCache.MISS ? 0 : 1;
      }
      System.out.println(
          "admitted " + admitted + ", thrown " + thrown + ", hits " + hits + state(cache));
    }
  }

  private static String state(BlockCache cache) {
    return ", sound "
        + cache.get(9, 0, ByteBuffer.allocate(BLOCK))
        + ", failures "
        + cache.stats().mediumFailures()
        + ", policy failures "
        + cache.control().ledger().policyFailures()
        + ", in service "
        + cache.control().health().inService();
  }

  /** The view of a block of another cache, whose file is cut short. */
  private void pinOfOtherCache() throws Exception {
    Path path = directory.resolve("other");
    try (BlockCache other = builder().medium(MappedFileMedium.create(path, 4 << 20)).build();
        BlockCache cache = builder().nativeMemory(32 << 20).checksum(Checksum.CRC32C).build()) {
      cache.offer(9, 0, block(9, BLOCK), Source.READ);
      other.offer(1, 0, block(1, BLOCK), Source.READ);
      try (PinnedBlock pinned = other.pin(1, 0)) {
        ByteBuffer view = pinned.buffer().slice(0, BLOCK).duplicate();
        System.out.print("whole " + cache.offer(1, 0, view, Source.READ));
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
          file.truncate(0);
        }
        System.out.println(
            ", cut short " + outcome(() -> cache.offer(2, 0, view, Source.READ)) + state(cache));
      }
    }
  }

  private void target(boolean mapped) throws Exception {
    BlockCacheBuilder builder = builder();
    if (mapped) {
      builder.medium(
          MappedFileMedium.create(directory.resolve("medium"), 32 << 20, CloseAction.DELETE));
    } else {
      builder.nativeMemory(32 << 20);
    }
    try (BlockCache cache = builder.build()) {
      cache.offer(9, 0, block(9, BLOCK), Source.READ);
      MappedByteBuffer mapping =
          cutShort(
              "target",
              () -> {
                ByteBuffer dst = ByteBuffer.allocateDirect(BLOCK);
                for (int i = 0; i < 20_000; i++) {
                  cache.get(9, 0, dst.clear());
                }
              });
      int thrown = 0;
      int moved = 0;
      for (int i = 0; i < OFFERS; i++) {
        ByteBuffer dst = mapping.duplicate().position(0).limit(BLOCK);
        try {
          if (i % 2 == 0) {
            cache.get(9, 0, dst);
          } else {
            try (PinnedBlock pinned = cache.pin(9, 0)) {
              pinned.copyTo(dst);
            }
          }
        } catch (InternalError e) {
          thrown++;
          moved += dst.position() == 0 ? 0 : 1;
        }
      }
      System.out.println("thrown " + thrown + ", moved " + moved + state(cache));
    }
  }
}
