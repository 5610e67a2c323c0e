// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A supplier of a block that does as it likes. */
final class Supplies implements Supplier<ByteBuffer> {
  private enum How {
    GIVES,
    GIVES_NULL,
    THROWS,
    THROWS_AN_ERROR,
    USES_THE_CACHE,
    CLOSES_THE_CACHE
  }

  private final World world;
  private final Prey prey;
  private final @Nullable ByteBuffer block;
  private final How how;
  private boolean asked;

  Supplies(World world, Prey prey, @Nullable ByteBuffer block) {
    this.world = world;
    this.prey = prey;
    this.block = block;
    int dice = world.random.nextInt(64);
    this.how =
        dice == 0
            ? How.CLOSES_THE_CACHE
            : dice < 20 ? How.values()[1 + dice % (How.values().length - 2)] : How.GIVES;
  }

  Set<String> faults() {
    return switch (how) {
      case GIVES_NULL -> Steps.NULL;
      case THROWS, THROWS_AN_ERROR -> Steps.PLANTED;
      default -> Steps.NOTHING;
    };
  }

  boolean wasAsked() {
    return asked;
  }

  @Override
  public @Nullable ByteBuffer get() {
    world.require(!asked, "asked twice");
    asked = true;
    switch (how) {
      case GIVES_NULL -> {
        return null;
      }
      case THROWS -> throw Planted.mute();
      case THROWS_AN_ERROR -> throw Planted.error();
      case USES_THE_CACHE -> world.useInside(prey);
      case CLOSES_THE_CACHE -> world.closeInside(prey);
      default -> {}
    }
    return block;
  }

  @Override
  public String toString() {
    return how.name();
  }
}
