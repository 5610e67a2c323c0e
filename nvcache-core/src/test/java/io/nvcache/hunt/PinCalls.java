// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.BOUNDS;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
import io.nvcache.hunt.Relics.Pinned;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of pins, open and closed, of caches that are open and closed. */
final class PinCalls {
  private static final Set<String> FAULT = Set.of("InternalError");
  private static final Set<String> OVERFLOW = Set.of("BufferOverflowException");

  private PinCalls() {}

  static void pin(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long offset = world.offset();
    byte[] wanted = prey.wanted(file, offset);
    boolean copying = world.random.nextInt(3) == 0;
    PinnedBlock pin =
        world.steps.take(
            copying ? "pinOrCopy" : "pin",
            prey + " " + file + " " + offset,
            offset < 0 ? ARGUMENT : NOTHING,
            () -> copying ? prey.cache.pinOrCopy(file, offset) : prey.cache.pin(file, offset));
    if (pin == null) {
      return;
    }
    world.require(
        wanted != null && pin.length() == wanted.length, "pin of a block that is not there");
    ByteBuffer view =
        world.random.nextBoolean()
            ? world.steps.take("pin.buffer", prey.name, NOTHING, pin::buffer)
            : null;
    Pinned pinned = new Pinned(pin, wanted == null ? new byte[0] : wanted, prey, view);
    requireContent(world, pinned);
    if (world.random.nextInt(4) > 0) {
      close(world, pinned);
    }
    Pinned pushedOut =
        world.relics().pins.size() < 40 ? null : Relics.any(world.relics().pins, world.random);
    if (pushedOut != null) {
      close(world, pushedOut);
      world.relics().pins.remove(pushedOut);
    }
    world.relics().pins.add(pinned);
  }

  private static void requireContent(World world, Pinned pinned) {
    if (pinned.view != null && !pinned.closed && !pinned.prey.isCut()) {
      byte[] seen = new byte[pinned.content.length];
      pinned.view.get(0, seen);
      world.require(pinned.view.isReadOnly(), "a pin shows a writable view");
      world.require(Arrays.equals(seen, pinned.content), "WRONG BYTES in a pin");
    }
  }

  static void move(World world) {
    Prey prey = world.prey();
    ReusablePin pin = world.steps.take("reusablePin", prey.name, NOTHING, prey.cache::reusablePin);
    for (int i = 0; i < 3 && pin != null; i++) {
      moveAndRead(world, prey, pin);
    }
    if (pin != null) {
      world.steps.act("reusablePin.unpin", prey.name, NOTHING, pin::unpin);
    }
  }

  private static void moveAndRead(World world, Prey prey, ReusablePin pin) {
    long file = world.file();
    long offset = world.offset();
    byte[] wanted = prey.wanted(file, offset);
    Integer length =
        world.steps.take(
            "reusablePin.moveTo",
            prey + " " + file + " " + offset,
            offset < 0 ? ARGUMENT : NOTHING,
            () -> pin.moveTo(file, offset));
    if (length == null || length == BlockCache.MISS) {
      return;
    }
    world.require(wanted != null && length == wanted.length, "pin of a block that is not there");
    int from = world.random.nextInt(8) == 0 ? (int) world.extreme() : world.random.nextInt(600);
    HostileBuffer dst = world.room(wanted);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    Integer copied =
        world.steps.take(
            "reusablePin.copyRange",
            prey + " " + from + " " + dst,
            or(or(dst.kind().writeFaults(), BOUNDS), prey.isCut() ? FAULT : NOTHING),
            () -> pin.copyRange(from, dst.buffer()));
    if (copied != null && wanted != null) {
      world.require(from >= 0 && copied == Math.min(room, wanted.length - from), "" + copied);
      world.require(
          !dst.kind().isSound()
              || Arrays.equals(
                  dst.bytes(at, copied), Arrays.copyOfRange(wanted, from, from + copied)),
          "WRONG BYTES");
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }

  static void close(World world, Pinned pinned) {
    world.steps.act("pin.close", pinned.prey.name, NOTHING, pinned.pin::close);
    pinned.closed = true;
  }

  static void use(World world) {
    Pinned pinned = Relics.any(world.relics().pins, world.random);
    if (pinned == null) {
      return;
    }
    requireContent(world, pinned);
    Set<String> allowed =
        or(pinned.closed ? STATE : NOTHING, pinned.prey.isCut() ? FAULT : NOTHING);
    switch (world.random.nextInt(5)) {
      case 0 -> close(world, pinned);
      case 1 -> {
        ByteBuffer view =
            world.steps.take("pin.buffer", state(pinned), allowed, pinned.pin::buffer);
        world.require(view == null || !pinned.closed, "a closed pin showed its block");
      }
      case 2 -> getLong(world, pinned, allowed);
      default -> copyTo(world, pinned, allowed);
    }
  }

  private static String state(Pinned pinned) {
    return pinned.prey
        + (pinned.closed ? " closed" : " open")
        + (pinned.prey.isClosed() ? "!" : "");
  }

  private static void getLong(World world, Pinned pinned, Set<String> allowed) {
    int index = world.random.nextInt(4) == 0 ? (int) world.extreme() : world.random.nextInt(4096);
    Long word =
        world.steps.take(
            "pin.getLong",
            state(pinned) + " " + index,
            or(allowed, BOUNDS),
            () -> pinned.pin.getLong(index));
    if (word != null) {
      world.require(
          !pinned.closed && word == ByteBuffer.wrap(pinned.content).getLong(index), "WRONG BYTES");
    }
  }

  private static void copyTo(World world, Pinned pinned, Set<String> allowed) {
    HostileBuffer dst = world.room(pinned.content);
    int at = dst.buffer() == null ? 0 : dst.buffer().position();
    int room = dst.remaining();
    int length = pinned.content.length;
    world.steps.act(
        "pin.copyTo",
        state(pinned) + " " + dst,
        or(or(allowed, dst.kind().writeFaults()), room < length ? OVERFLOW : NOTHING),
        () -> pinned.pin.copyTo(dst.buffer()));
    @Nullable Throwable thrown = world.steps.thrown();
    if (thrown == null) {
      world.require(!pinned.closed, "a closed pin was copied");
      world.require(!dst.lacks(length), "wrote to " + dst);
      world.require(
          !dst.kind().isSound() || Arrays.equals(dst.bytes(at, length), pinned.content),
          "WRONG BYTES");
    }
    world.require(dst.isUntouchedOutside(at, at + room), "wrote outside of " + dst);
  }
}
