// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.BOUNDS;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.NULL;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.BlockWalk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of {@link BlockCache} that find, bring and forget blocks. */
final class CacheCalls {
  static final Set<String> OVERFLOW = Set.of("BufferOverflowException");

  private CacheCalls() {}

  static void get(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] wanted = prey.wanted(file, offset);
    HostileBuffer dst = world.room(wanted);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    Set<String> allowed = or(dst.kind().writeFaults(), OVERFLOW);
    Integer length =
        world.steps.take(
            "get",
            prey + " " + file + " " + offset + " " + dst,
            or(allowed, offset < 0 ? ARGUMENT : NOTHING),
            () -> prey.cache.get(file, offset, dst.buffer()));
    if (length == null) {
      boolean tooLong = world.steps.thrown() instanceof java.nio.BufferOverflowException;
      world.require(!tooLong || (wanted != null && wanted.length > room), "had room");
      unmoved(world, dst, at);
    } else {
      world.require(offset >= 0, "took a negative offset");
      judge(world, dst, at, length, wanted, 0);
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }

  static void getRange(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] wanted = prey.wanted(file, offset);
    HostileBuffer dst = world.room(wanted);
    int from = world.random.nextInt(8) == 0 ? (int) world.extreme() : world.random.nextInt(600);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    Integer copied =
        world.steps.take(
            "getRange",
            prey + " " + file + " " + offset + " " + from + " " + dst,
            or(or(dst.kind().writeFaults(), offset < 0 ? ARGUMENT : NOTHING), BOUNDS),
            () -> prey.cache.getRange(file, offset, from, dst.buffer()));
    if (copied == null) {
      boolean bounds = world.steps.thrown() instanceof IndexOutOfBoundsException;
      world.require(
          !bounds || from < 0 || (wanted != null && from > wanted.length), "lay in bounds");
      unmoved(world, dst, at);
    } else if (copied == BlockCache.MISS) {
      unmoved(world, dst, at);
    } else {
      world.require(wanted != null && from >= 0 && from <= wanted.length, "hit by mistake");
      int most = wanted == null ? 0 : Math.min(room, wanted.length - from);
      world.require(copied == most, "copied " + copied + " and not " + most);
      byte[] part = wanted == null ? null : Arrays.copyOfRange(wanted, from, from + copied);
      judge(world, dst, at, copied, part, from);
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }

  private static void unmoved(World world, HostileBuffer dst, int at) {
    world.require(dst.buffer() == null || dst.buffer().position() == at, "moved " + dst);
  }

  private static void judge(
      World world, HostileBuffer dst, int at, int length, byte @Nullable [] wanted, int from) {
    if (length == BlockCache.MISS) {
      unmoved(world, dst, at);
      return;
    }
    world.require(wanted != null, "hit of a block that was not cached");
    world.require(!dst.lacks(length), "wrote " + length + " bytes to " + dst);
    world.require(
        wanted != null && wanted.length == length, "gave " + length + " bytes from " + from);
    world.require(
        dst.buffer() != null && dst.buffer().position() == at + length, "did not move " + dst);
    world.require(
        !dst.kind().isSound() || Arrays.equals(dst.bytes(at, length), wanted), "WRONG BYTES");
  }

  static void offer(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] content = world.content(file, offset);
    HostileBuffer block = world.buffers().source(world.random, world, content);
    Source source = world.source();
    int length = block.remaining();
    OfferResult result =
        world.steps.take(
            "offer",
            prey + " " + file + " " + offset + " " + block + " " + source,
            or(
                or(block.kind().readFaults(), source == null ? NULL : NOTHING),
                offset < 0 || length == 0 ? ARGUMENT : NOTHING),
            () -> prey.cache.offer(file, offset, block.buffer(), source));
    world.admitted(prey, file, offset, block, length, result);
  }

  static void offerLazily(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] content = world.content(file, offset);
    HostileBuffer block = world.buffers().source(world.random, world, content);
    int length = block.remaining();
    int announced =
        world.random.nextInt(16) == 0 ? (int) world.extreme() : Math.max(1, block.remaining());
    Supplies supplies = new Supplies(world, prey, block.buffer());
    OfferResult result =
        world.steps.take(
            "offerLazily",
            prey + " " + file + " " + offset + " " + announced + " " + block + " " + supplies,
            or(
                or(block.kind().readFaults(), supplies.faults()),
                offset < 0 || announced != length || announced < 1 ? ARGUMENT : NOTHING),
            () -> prey.cache.offer(file, offset, announced, supplies, Source.READ));
    if (result == OfferResult.ADMITTED) {
      world.require(supplies.wasAsked(), "was admitted unseen");
      world.require(announced == length, "was announced with another length");
    }
    world.admitted(prey, file, offset, block, length, result);
  }

  static void invalidate(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    boolean known = prey.wanted(file, offset) != null;
    Boolean gone =
        world.steps.take(
            "invalidate",
            prey + " " + file + " " + offset,
            offset < 0 ? ARGUMENT : NOTHING,
            () -> prey.cache.invalidate(file, offset));
    world.require(gone == null || !gone || known, "was not cached");
    prey.forgotten(file, offset);
  }

  static void invalidateFile(World world) {
    Prey prey = world.prey();
    long file = world.file();
    world.steps.act(
        "invalidateFile", prey + " " + file, NOTHING, () -> prey.cache.invalidateFile(file));
    prey.fileForgotten(file);
    world.steps.take(
        "countBlocks",
        prey + " " + file,
        NOTHING,
        () -> {
          long count = prey.cache.control().countBlocks(file);
          world.require(count == 0, "counts " + count);
          return count;
        });
  }

  /** A walk is right as long as nothing changes; one that is kept is used again, whenever. */
  static void walk(World world) {
    Prey prey = world.prey();
    BlockWalk walk = world.steps.take("walk", prey.name, NOTHING, prey.cache.control()::walk);
    if (walk == null) {
      return;
    }
    world.steps.act("walk.fileId", "before", Steps.STATE, walk::fileId);
    for (int i = world.random.nextInt(12); i > 0; i--) {
      Boolean next = world.steps.take("walk.next", prey.name, NOTHING, walk::next);
      if (next == null || !next) {
        break;
      }
      peek(world, prey, walk);
    }
    Relics.keep(world.relics().walks, walk, world.random);
  }

  private static void peek(World world, Prey prey, BlockWalk walk) {
    byte[] wanted = prey.wanted(walk.fileId(), walk.offset());
    boolean alone = !prey.background; // Or it may be gone meanwhile.
    world.require(
        wanted != null && wanted.length == walk.lengthBytes(), "told of a block that is not there");
    HostileBuffer dst = world.room(wanted);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    Integer copied =
        world.steps.take(
            "walk.peek",
            prey + " " + walk.fileId() + " " + walk.offset() + " " + dst,
            dst.kind().writeFaults(),
            () -> walk.peek(dst.buffer()));
    if (copied != null && copied != BlockCache.MISS && wanted != null) {
      world.require(!dst.lacks(copied), "wrote to " + dst);
      world.require(copied == Math.min(room, wanted.length), "copied " + copied);
      world.require(
          !dst.kind().isSound()
              || Arrays.equals(dst.bytes(at, copied), Arrays.copyOf(wanted, copied)),
          "WRONG BYTES");
    } else if (copied != null && alone && prey.isSound()) {
      world.require(false, "missed a block that is cached");
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }

  /** A walk of long ago: its block may be gone, its cache closed. */
  static void oldWalk(World world) {
    BlockWalk walk = Relics.any(world.relics().walks, world.random);
    if (walk == null) {
      return;
    }
    HostileBuffer dst = world.room(null);
    world.steps.act(
        "oldWalk.peek",
        dst.toString(),
        or(dst.kind().writeFaults(), Steps.STATE),
        () -> walk.peek(dst.buffer()));
    world.steps.act("oldWalk.next", "", NOTHING, walk::next);
    world.steps.act("oldWalk.length", "", Steps.STATE, walk::lengthBytes);
  }

  static void maintain(World world) {
    Prey prey = world.prey();
    prey.clock.jump(world.random.nextInt(3) * 600_000_000L);
    if (world.random.nextInt(64) == 0) {
      prey.clock.jump(world.extreme());
    }
    world.steps.act("maintain", prey.name, NOTHING, prey.cache.control()::maintain);
  }

  /** What a caller that uses the cache well sees after all this. */
  static void use(World world) {
    Prey prey = world.prey();
    long file = 1 + world.random.nextInt(World.FILES);
    long offset = world.random.nextInt(40) * 512L;
    byte[] wanted = prey.wanted(file, offset);
    ByteBuffer dst = ByteBuffer.allocate(Contents.MAX_LENGTH);
    Integer length =
        world.steps.take(
            "use",
            prey + " " + file + " " + offset,
            NOTHING,
            () -> prey.cache.get(file, offset, dst));
    if (length != null && length != BlockCache.MISS) {
      world.require(
          wanted != null
              && wanted.length == length
              && Arrays.equals(Arrays.copyOf(dst.array(), length), wanted),
          "WRONG BYTES");
    }
  }
}
