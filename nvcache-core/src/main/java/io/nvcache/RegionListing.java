// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.FlashInspection.FileShare;
import io.nvcache.FlashInspection.RegionState;
import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.restart.RegionReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up what the regions of a medium list: eight bytes of memory for each block. */
final class RegionListing {
  private final RegionReader reader;
  private final RegionReader.Judge judge;
  private final Map<FileIdentity, Long> revoked;
  private final Map<FileIdentity, Offsets> files = new HashMap<>();
  private final List<RegionState> regions = new ArrayList<>();

  /** Reads all regions. */
  RegionListing(RegionReader reader, Superblock superblock) {
    this.reader = reader;
    this.judge = new RegionReader.Judge(superblock);
    this.revoked = superblock.revokedGenerations();
    for (int region = 0; region < superblock.geometry().regions(); region++) {
      regions.add(read(region));
    }
  }

  List<RegionState> regions() {
    return regions;
  }

  /** Returns the files, most blocks first. */
  List<FileShare> files() {
    return files.entrySet().stream()
        .map(file -> file.getValue().share(file.getKey()))
        .sorted(
            Comparator.comparingLong(FileShare::blocks)
                .reversed()
                .thenComparing(share -> share.identity().toString()))
        .toList();
  }

  private RegionState read(int region) {
    long generation = -1;
    RestoreLoss loss;
    try {
      RegionReader.Found found = reader.look(region);
      generation = found.generation();
      loss = judge.loss(found);
      RegionFooter footer = loss == null ? reader.readFooter(found) : null;
      if (footer != null) {
        return list(footer);
      }
      loss = loss == null ? RestoreLoss.DAMAGED : loss;
    } catch (IOException unreadable) {
      loss = RestoreLoss.UNREADABLE;
    }
    return new RegionState(region, generation, loss, 0, 0);
  }

  private RegionState list(RegionFooter footer) {
    List<@Nullable Offsets> byPlace = new ArrayList<>();
    for (RegionFooter.ListedFile file : footer.files()) {
      Long upTo = revoked.get(file.identity());
      boolean isRevoked = upTo != null && footer.generation() <= upTo;
      byPlace.add(
          isRevoked ? null : files.computeIfAbsent(file.identity(), first -> new Offsets()));
    }
    long bytes = 0;
    for (int block = 0; block < footer.blocks(); block++) {
      bytes += footer.lengthBytes(block);
      Offsets offsets = byPlace.get(footer.file(block));
      if (offsets != null) {
        offsets.add(footer.offset(block), footer.lengthBytes(block));
      }
    }
    return new RegionState(footer.region(), footer.generation(), null, footer.blocks(), bytes);
  }

  /** Where the blocks of a file begin. */
  private static final class Offsets {
    private long[] offsets = new long[16];
    private int count;
    private long bytes;

    void add(long offset, int lengthBytes) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
      }
      offsets[count++] = offset;
      bytes += lengthBytes;
    }

    FileShare share(FileIdentity identity) {
      Arrays.sort(offsets, 0, count);
      long distinct = 0;
      for (int i = 0; i < count; i++) {
        distinct += i == 0 || offsets[i] != offsets[i - 1] ? 1 : 0;
      }
      return new FileShare(identity, count, bytes, distinct);
    }
  }
}
