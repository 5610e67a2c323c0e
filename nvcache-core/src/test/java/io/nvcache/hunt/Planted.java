// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.io.IOException;

/** What suppliers, policies, media, loaders and listeners of the hunt throw. */
final class Planted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean mute;

  private Planted(boolean mute) {
    super("planted", null, false, true);
    this.mute = mute;
  }

  /** One that can't even be logged. */
  @Override
  public String getMessage() {
    if (mute) {
      throw new Planted(false);
    }
    return "planted";
  }

  static Planted exception() {
    return new Planted(false);
  }

  static Planted mute() {
    return new Planted(true);
  }

  static IOException ioException() {
    return new PlantedIo();
  }

  static Error error() {
    return new PlantedError();
  }

  static void any(boolean error) {
    if (error) {
      throw error();
    }
    throw mute();
  }

  private static final class PlantedIo extends IOException {
    private static final long serialVersionUID = 1L;

    PlantedIo() {
      super("planted");
    }
  }

  private static final class PlantedError extends Error {
    private static final long serialVersionUID = 1L;

    PlantedError() {
      super("planted", null, false, true);
    }
  }
}
