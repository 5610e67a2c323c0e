// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.BOUNDS;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.NULL;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of media: free ones, those of a cache, those of a cache that is closed. */
final class MediumCalls {
  private static final int BYTES = 64 << 10;
  private static final Set<String> MEDIUM_FAILED = Set.of("IOException");

  private MediumCalls() {}

  /** A medium of nobody's: all calls. Right bytes come back of what was written well. */
  static void free(World world) {
    Medium medium = world.steps.take("medium", "", NOTHING, () -> make(world));
    if (medium == null) {
      return;
    }
    byte[] content = world.content(7, 7);
    for (int i = 0; i < 6; i++) {
      long offset = place(world);
      HostileBuffer block = world.buffers().source(world.random, world, content);
      int length = block.remaining();
      world.steps.act(
          "medium.write",
          medium.describe() + " " + offset + " " + block,
          or(or(block.kind().readFaults(), BOUNDS), ARGUMENT),
          () -> medium.write(offset, block.buffer()));
      boolean written = world.steps.thrown() == null;
      world.require(!written || !block.lacks(length), "wrote of " + block);
      HostileBuffer dst = world.room(content);
      int at = dst.buffer() == null ? 0 : dst.buffer().position();
      int room = dst.remaining();
      world.steps.act(
          "medium.read",
          medium.describe() + " " + offset + " " + dst + " " + length,
          or(
              or(or(dst.kind().writeFaults(), BOUNDS), ARGUMENT),
              or(written ? NOTHING : MEDIUM_FAILED, Set.of("BufferOverflowException"))),
          () -> medium.read(offset, dst.buffer(), length));
      boolean read = world.steps.thrown() == null;
      world.require(!read || !dst.lacks(length), "read into " + dst);
      if (read && written && dst.kind().isSound() && block.content() != null) {
        world.require(
            java.util.Arrays.equals(dst.bytes(at, length), block.content()), "WRONG BYTES");
      }
      world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
      int extreme = (int) world.extreme();
      world.steps.act(
          "medium.read",
          "length " + extreme,
          or(or(dst.kind().writeFaults(), BOUNDS), or(ARGUMENT, MEDIUM_FAILED)),
          () -> medium.read(offset, dst.buffer(), extreme));
      world.steps.act(
          "medium.address",
          "" + offset + " " + extreme,
          BOUNDS,
          () -> medium.address(offset, extreme));
    }
    world.steps.act("medium.close", medium.describe(), NOTHING, medium::close);
    ended(world, medium);
  }

  private static long place(World world) {
    return world.random.nextInt(4) == 0 ? world.extreme() : world.random.nextInt(12) * 4096L;
  }

  private static Medium make(World world) throws Exception {
    MediumMaker maker = world.maker();
    if (maker != null) {
      return maker.make(world.newFile(), BYTES);
    }
    return switch (world.random.nextInt(4)) {
      case 0, 1 -> NativeMedium.allocate(BYTES);
      case 2 -> MappedFileMedium.create(world.newFile(), BYTES, world.atClose());
      default -> EncryptedMedium.over(NativeMedium.allocate(BYTES));
    };
  }

  /** A medium that is over. */
  static void ended(World world, Medium medium) {
    ended(world, medium, false);
  }

  /**
   * A medium that is over, or that pins and their buffers keep open.
   *
   * @param pinned whether they may
   */
  static void ended(World world, Medium medium, boolean pinned) {
    HostileBuffer dst = world.room(null);
    Set<String> allowed = or(or(dst.kind().writeFaults(), BOUNDS), or(STATE, ARGUMENT));
    int length = dst.remaining();
    world.steps.act(
        "endedMedium.read",
        medium.describe() + " " + dst,
        or(allowed, MEDIUM_FAILED),
        () -> medium.read(0, dst.buffer(), length));
    world.require(pinned || world.steps.thrown() != null || length == 0, "read of what is over");
    world.steps.act("endedMedium.address", "", allowed, () -> medium.address(0, 1));
    world.steps.act("endedMedium.close", "", pinned ? STATE : NOTHING, medium::close);
    if (world.random.nextBoolean()) {
      world.steps.act(
          "build",
          "over an ended medium",
          or(STATE, ARGUMENT),
          () -> BlockCache.builder().medium(medium).maxBlockBytes(4096).build().close());
    } else {
      world.steps.act(
          "encrypt", "an ended medium", STATE, () -> EncryptedMedium.over(medium).close());
    }
  }

  /** Of a cache that is in use. */
  static void held(World world) {
    Prey prey = world.prey();
    Medium medium = prey.medium;
    if (medium == null || prey.isClosed() || medium instanceof HostileMedium) {
      return;
    }
    world.steps.act("heldMedium.close", prey.name, STATE, medium::close);
    world.require(world.steps.thrown() != null, "closed under its cache");
    HostileBuffer dst = world.room(null);
    int length = dst.remaining();
    world.steps.act(
        "heldMedium.read",
        prey + " " + dst,
        or(
            or(dst.kind().writeFaults(), or(BOUNDS, MEDIUM_FAILED)),
            prey.isCut() ? Set.of("InternalError") : NOTHING),
        () -> medium.read(4096 * world.random.nextInt(4), dst.buffer(), length));
    world.steps.act("encrypt", prey.name, STATE, () -> EncryptedMedium.over(medium));
    world.require(world.steps.thrown() != null, "encrypted under its cache");
    world.steps.act(
        "build",
        "twice over " + prey,
        STATE,
        () -> BlockCache.builder().medium(medium).maxBlockBytes(4096).build());
    world.require(world.steps.thrown() != null, "built twice");
  }

  /** The file of a mapped medium is cut short, under its cache. */
  static void cut(World world) throws Exception {
    Prey prey = world.prey();
    Path file = world.fileOf(prey);
    if (file == null || prey.isClosed() || !Files.exists(file)) {
      return;
    }
    world.steps.act("cut", prey.name, NOTHING, () -> truncate(file));
    prey.markCut();
  }

  private static void truncate(Path file) throws java.io.IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // Of a page that is half there, the other half reads as zeros, as if the medium had changed.
      channel.truncate(channel.size() / 2 / 4096 * 4096);
    }
  }

  static void extremes(World world) {
    long bytes = world.random.nextBoolean() ? world.extreme() : Long.MAX_VALUE;
    if (bytes > 0 && bytes < 1L << 50) {
      return; // A file of so many bytes would be filled.
    }
    Path file = world.newFile();
    @Nullable Path path = world.random.nextInt(4) == 0 ? null : file;
    Set<String> allowed =
        or(or(ARGUMENT, MEDIUM_FAILED), Set.of("NullPointerException", "FileSystemException"));
    world.steps.act(
        "mapped", path + " " + bytes, allowed, () -> MappedFileMedium.create(path, bytes).close());
    world.require(!Files.exists(file), "left a file");
    world.steps.act(
        "native",
        "" + bytes,
        or(ARGUMENT, Set.of("OutOfMemoryError")),
        () -> NativeMedium.allocate(bytes).close());
    world.steps.act("encrypt", "null", NULL, () -> EncryptedMedium.over(null));
  }
}
