// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.BOUNDS;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.PinnedBlock;
import io.nvcache.hunt.Relics.Leased;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of leases, open and closed, of caches that are open and closed. */
final class LeaseCalls {
  private static final Set<String> FAULT = Set.of("InternalError");
  private static final Set<String> OVERFLOW = Set.of("BufferOverflowException");

  private LeaseCalls() {}

  static void pin(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] wanted = prey.wanted(file, offset);
    boolean copying = world.random.nextInt(3) == 0;
    PinnedBlock lease =
        world.steps.take(
            copying ? "pinOrCopy" : "pin",
            prey + " " + file + " " + offset,
            offset < 0 ? ARGUMENT : NOTHING,
            () -> copying ? prey.cache.pinOrCopy(file, offset) : prey.cache.pin(file, offset));
    if (lease == null) {
      return;
    }
    world.require(
        wanted != null && lease.length() == wanted.length, "lease of a block that is not there");
    ByteBuffer view =
        world.random.nextBoolean()
            ? world.steps.take("lease.buffer", prey.name, NOTHING, lease::buffer)
            : null;
    Leased leased = new Leased(lease, wanted == null ? new byte[0] : wanted, prey, view);
    requireContent(world, leased);
    if (world.random.nextInt(4) > 0) {
      close(world, leased);
    }
    Leased pushedOut =
        world.relics().leases.size() < 40 ? null : Relics.any(world.relics().leases, world.random);
    if (pushedOut != null) {
      close(world, pushedOut);
      world.relics().leases.remove(pushedOut);
    }
    world.relics().leases.add(leased);
  }

  private static void requireContent(World world, Leased leased) {
    if (leased.view != null && !leased.closed && !leased.prey.isCut()) {
      byte[] seen = new byte[leased.content.length];
      leased.view.get(0, seen);
      world.require(leased.view.isReadOnly(), "a lease shows a writable view");
      world.require(Arrays.equals(seen, leased.content), "WRONG BYTES in a lease");
    }
  }

  static void close(World world, Leased leased) {
    world.steps.act("lease.close", leased.prey.name, NOTHING, leased.lease::close);
    leased.closed = true;
  }

  static void use(World world) {
    Leased leased = Relics.any(world.relics().leases, world.random);
    if (leased == null) {
      return;
    }
    requireContent(world, leased);
    Set<String> allowed =
        or(leased.closed ? STATE : NOTHING, leased.prey.isCut() ? FAULT : NOTHING);
    switch (world.random.nextInt(5)) {
      case 0 -> close(world, leased);
      case 1 -> {
        ByteBuffer view =
            world.steps.take("lease.buffer", state(leased), allowed, leased.lease::buffer);
        world.require(view == null || !leased.closed, "a closed lease showed its block");
      }
      case 2 -> getLong(world, leased, allowed);
      default -> copyTo(world, leased, allowed);
    }
  }

  private static String state(Leased leased) {
    return leased.prey
        + (leased.closed ? " closed" : " open")
        + (leased.prey.isClosed() ? "!" : "");
  }

  private static void getLong(World world, Leased leased, Set<String> allowed) {
    int index = world.random.nextInt(4) == 0 ? (int) world.extreme() : world.random.nextInt(4096);
    Long word =
        world.steps.take(
            "lease.getLong",
            state(leased) + " " + index,
            or(allowed, BOUNDS),
            () -> leased.lease.getLong(index));
    if (word != null) {
      world.require(
          !leased.closed && word == ByteBuffer.wrap(leased.content).getLong(index), "WRONG BYTES");
    }
  }

  private static void copyTo(World world, Leased leased, Set<String> allowed) {
    HostileBuffer dst = world.room(leased.content);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    int length = leased.content.length;
    world.steps.act(
        "lease.copyTo",
        state(leased) + " " + dst,
        or(or(allowed, dst.kind().writeFaults()), room < length ? OVERFLOW : NOTHING),
        () -> leased.lease.copyTo(dst.buffer()));
    @Nullable Throwable thrown = world.steps.thrown();
    if (thrown == null) {
      world.require(!leased.closed, "a closed lease was copied");
      world.require(!dst.lacks(length), "wrote to " + dst);
      world.require(
          !dst.kind().isSound() || Arrays.equals(dst.bytes(at, length), leased.content),
          "WRONG BYTES");
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }
}
