// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Makes the sums of an image of a medium right again after it was edited, as who can write to the
 * medium does. The image begins with the superblocks. Offsets are those of the drawn formats.
 */
final class CraftedImage {
  static final int PAGE = 4096;
  static final int REGIONS_AT = 2 * PAGE;

  private static final long SUPERBLOCK = 0x4e56_5375_7065_7262L;
  private static final long REGION = 0x4e56_5265_6769_6f6eL;
  private static final long FOOTER = 0x4e56_466f_6f74_6572L;
  private static final int HEAD_BYTES = 64;

  private CraftedImage() {}

  private static long sum(byte[] image, int at, int length) {
    CRC32C high = new CRC32C();
    high.update(image, at, length);
    CRC32 low = new CRC32();
    low.update(image, at, length);
    return high.getValue() << Integer.SIZE | low.getValue();
  }

  static void mendSuperblock(byte[] image, int at) {
    ByteBuffer.wrap(image).putLong(at + 4088, sum(image, at, 4088));
  }

  /** Returns where the copy of the superblock lies that counts. */
  static int newestSuperblock(byte[] image) {
    ByteBuffer bytes = ByteBuffer.wrap(image);
    boolean isSecond =
        bytes.getLong(PAGE) == SUPERBLOCK
            && (bytes.getLong(0) != SUPERBLOCK || bytes.getLong(PAGE + 32) > bytes.getLong(32));
    return isSecond ? PAGE : 0;
  }

  static void mendRegionHeader(byte[] image, int at) {
    ByteBuffer.wrap(image).putLong(at + 48, sum(image, at, 48));
  }

  /** Returns where the headers of regions lie. */
  static List<Integer> regionHeaders(byte[] image) {
    return pagesWith(image, 0, REGION);
  }

  /** Returns where the heads of footers lie. */
  static List<Integer> footerHeads(byte[] image) {
    return pagesWith(image, PAGE - HEAD_BYTES, FOOTER);
  }

  private static List<Integer> pagesWith(byte[] image, int offset, long magic) {
    ByteBuffer bytes = ByteBuffer.wrap(image);
    List<Integer> places = new ArrayList<>();
    for (int at = REGIONS_AT + offset; at + HEAD_BYTES <= image.length; at += PAGE) {
      if (bytes.getLong(at) == magic) {
        places.add(at);
      }
    }
    return places;
  }

  /** Returns where the footer with this head begins, as its counts say, or the image does. */
  static int footerBegin(byte[] image, int head) {
    ByteBuffer bytes = ByteBuffer.wrap(image);
    long entries = bytes.getInt(head + 40) + (long) bytes.getInt(head + 44);
    long length = (HEAD_BYTES + entries * 24 + PAGE - 1) & -PAGE;
    return (int) Math.max(0, Math.min(head, head + HEAD_BYTES - length));
  }

  /** Returns what a file of flash holds: the mark of a cache, and the image. */
  static byte[] flash(byte[] image) {
    byte[] file = new byte[PAGE + image.length];
    System.arraycopy(image, 0, file, PAGE, image.length);
    ByteBuffer mark = ByteBuffer.wrap(file);
    mark.putLong(0, 0x4e56_4361_6368_6531L).putLong(8, file.length);
    CRC32C sum = new CRC32C();
    sum.update(file, 0, 32);
    mark.putInt(32, (int) sum.getValue());
    return file;
  }

  static void mendFooter(byte[] image, int head) {
    int begin = footerBegin(image, head);
    ByteBuffer.wrap(image).putLong(head + 56, sum(image, begin, head + 56 - begin));
  }
}
