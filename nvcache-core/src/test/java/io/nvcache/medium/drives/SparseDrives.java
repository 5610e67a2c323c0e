// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Arrays over media in memory, which may be missing, changed or pulled. */
public final class SparseDrives {
  /** Longer than a busy machine keeps a thread waiting that no drive keeps. */
  private static final long HANG_MILLIS = 60_000;

  private SparseDrives() {}

  /** Returns the capacity of a drive with so many regions. */
  public static long capacityBytes(int regions, int regionBytes) {
    return ArrayDrive.UNITS_AT + (long) regions * regionBytes;
  }

  /** Something that happens while a drive is opened. */
  public interface Opening {
    /** Happens. */
    void run() throws IOException;
  }

  /** A place that a drive is looked for at; none is there if it is null. */
  public static final class Place {
    private final String name;
    private final long capacityBytes;

    /** What lies there now. */
    public final AtomicReference<@Nullable Medium> medium = new AtomicReference<>();

    /** What happens when it is opened, before it is. */
    public final AtomicReference<Opening> opening = new AtomicReference<>(() -> {});

    /** Makes a place with something, or nothing, in it. */
    public Place(String name, long capacityBytes, @Nullable Medium there) {
      this.name = name;
      this.capacityBytes = capacityBytes;
      medium.set(there);
    }
  }

  /** Opens an array over places. */
  public static Medium open(List<Place> places, int regionBytes) throws IOException {
    return open(places, regionBytes, HANG_MILLIS);
  }

  /** The same, where a write that takes so long means that its drive is lost. */
  public static Medium open(List<Place> places, int regionBytes, long hangMillis)
      throws IOException {
    List<DriveSource> sources = new ArrayList<>();
    places.forEach(place -> sources.add(source(place)));
    return ArrayMedium.over(sources, regionBytes, TimeUnit.MILLISECONDS.toNanos(hangMillis));
  }

  private static DriveSource source(Place place) {
    return new DriveSource() {
      @Override
      public Medium open() throws IOException {
        place.opening.get().run();
        Medium there = place.medium.get();
        if (there == null) {
          throw new IOException(place.name + " is not there");
        }
        return there;
      }

      @Override
      public String name() {
        return place.name;
      }

      @Override
      public Optional<Path> path() {
        return Optional.empty();
      }

      @Override
      public long capacityBytes() {
        return place.capacityBytes;
      }
    };
  }
}
