// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which column of a CSV trace holds what, counted from 0; {@link #NONE} for what has none.
 *
 * @param format what the columns are called together, in messages
 * @param id the block, or its first byte
 * @param isOffset whether ids are places on a drive, and so numbers
 * @param volume what the block is of: ids count for each of them
 * @param host what has the volume: volumes count for each of them
 * @param size its bytes
 * @param moreSize bytes besides, of the same block
 * @param op read, write or free
 * @param unitBytes what ids and sizes count
 * @param columns so many a line has; at least so many where a header names them
 * @param header whether the first line names the columns
 */
record CsvColumns(
    String format,
    int id,
    boolean isOffset,
    int volume,
    int host,
    int size,
    int moreSize,
    int op,
    int unitBytes,
    int columns,
    boolean header) {
  static final int NONE = -1;

  /** What Tencent's offsets and sizes count. */
  private static final int SECTOR_BYTES = 512;

  /** In libCacheSim's order. */
  private static final CsvColumns PLAIN =
      new CsvColumns("time,object,size", 1, false, NONE, NONE, 2, NONE, NONE, 1, 3, false);

  private static final CsvColumns MSR =
      new CsvColumns(
          "MSR Cambridge: timestamp,hostname,disk,type,offset,size,response time",
          4,
          true,
          2,
          1,
          5,
          NONE,
          3,
          1,
          7,
          false);

  private static final CsvColumns TWITTER =
      new CsvColumns(
          "Twitter: timestamp,key,key size,value size,client,operation,TTL",
          1,
          false,
          NONE,
          NONE,
          3,
          2,
          5,
          1,
          7,
          false);

  private static final CsvColumns ALIBABA =
      new CsvColumns(
          "Alibaba: device_id,opcode,offset,length,timestamp",
          2,
          true,
          0,
          NONE,
          3,
          NONE,
          1,
          1,
          5,
          false);

  private static final CsvColumns TENCENT =
      new CsvColumns(
          "Tencent: timestamp,offset,size,IOType,VolumeID, in sectors",
          1,
          true,
          4,
          NONE,
          2,
          NONE,
          3,
          SECTOR_BYTES,
          5,
          false);

  private static final List<CsvColumns> KNOWN = List.of(PLAIN, MSR, TWITTER, ALIBABA, TENCENT);

  private static final Set<String> IDS =
      Set.of(
          "id",
          "obj_id",
          "object_id",
          "object",
          "key",
          "anonymized_key",
          "block",
          "lbn",
          "lba",
          "offset");
  private static final Set<String> VOLUMES =
      Set.of(
          "device_id",
          "device",
          "disknumber",
          "disk_number",
          "disk",
          "volume",
          "volume_id",
          "volumeid",
          "lun");
  private static final Set<String> HOSTS = Set.of("hostname", "host");
  private static final Set<String> SIZES =
      Set.of("size", "obj_size", "object_size", "bytes", "len", "length", "val_size", "value_size");
  private static final Set<String> MORE_SIZES = Set.of("key_size");
  private static final Set<String> OPS =
      Set.of(
          "op",
          "op_type",
          "operation",
          "type",
          "cmd",
          "opcode",
          "iotype",
          "io_type",
          "request_type");

  /** Without them a line means another number of requests. */
  private static final Set<String> NOT_UNDERSTOOD = Set.of("op_count", "count", "repeat");

  private static final Set<String> READ_OR_WRITE = Set.of("read", "write");
  private static final Set<String> R_OR_W = Set.of("r", "w");
  private static final Set<String> ZERO_OR_ONE = Set.of("0", "1");

  /**
   * Goes by the first line: it names the columns, or is a request of a published format.
   *
   * @throws TraceFormatException if it is neither; names the columns that were expected and found
   */
  static CsvColumns of(List<String> first) throws TraceFormatException {
    List<String> names =
        first.stream()
            .map(name -> name.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s-]+", "_"))
            .toList();
    int id = indexOf(names, IDS);
    if (id >= 0) {
      return ofHeader(names, id);
    }
    CsvColumns published = ofPublished(names);
    if (published != null) {
      return published;
    }
    if (names.size() == PLAIN.columns && isNumber(names.get(0))) {
      return PLAIN;
    }
    throw new TraceFormatException(
        "its first line has "
            + names.size()
            + " columns, '"
            + TextLines.shown(String.join(",", first))
            + "', which are none of "
            + String.join("; ", KNOWN.stream().map(CsvColumns::format).toList())
            + "; give it a first line that names them, as in time,obj_id,obj_size,op");
  }

  private static CsvColumns ofHeader(List<String> names, int id) throws TraceFormatException {
    int count = indexOf(names, NOT_UNDERSTOOD);
    if (count >= 0) {
      throw new TraceFormatException(
          "its column "
              + names.get(count)
              + " says how often a request came, which is not understood; write a line for each");
    }
    int volume = indexOf(names, VOLUMES);
    int op = indexOf(names, OPS);
    boolean isTencent =
        volume >= 0
            && op >= 0
            && names.get(volume).matches("volume_?id")
            && names.get(op).matches("io_?type");
    int size = indexOf(names, SIZES);
    int moreSize = indexOf(names, MORE_SIZES);
    int host = volume < 0 ? NONE : indexOf(names, HOSTS);
    int last =
        Math.max(Math.max(id, Math.max(volume, host)), Math.max(Math.max(size, moreSize), op));
    return new CsvColumns(
        "columns of the first line",
        id,
        names.get(id).equals("offset"),
        volume,
        host,
        size,
        size < 0 ? NONE : moreSize,
        op,
        isTencent ? SECTOR_BYTES : 1,
        last + 1,
        true);
  }

  /** Returns the published format that a line is of; null if it is of none. */
  static @Nullable CsvColumns ofPublished(List<String> fields) {
    List<String> values =
        fields.stream().map(field -> field.strip().toLowerCase(Locale.ROOT)).toList();
    if (values.size() == MSR.columns) {
      if (READ_OR_WRITE.contains(values.get(3)) && areNumbers(values, 0, 2, 4, 5, 6)) {
        return MSR;
      }
      boolean isWord = !isNumber(values.get(5)) && CsvFormat.op(values.get(5)) != null;
      return isWord && areNumbers(values, 0, 2, 3, 4, 6) ? TWITTER : null;
    }
    if (values.size() != ALIBABA.columns) {
      return null;
    }
    if (R_OR_W.contains(values.get(1)) && areNumbers(values, 0, 2, 3, 4)) {
      return ALIBABA;
    }
    return ZERO_OR_ONE.contains(values.get(3)) && areNumbers(values, 0, 1, 2, 4) ? TENCENT : null;
  }

  private static boolean areNumbers(List<String> values, int... columns) {
    return Arrays.stream(columns).allMatch(column -> isNumber(values.get(column)));
  }

  /** Whole, or with a fraction, as times are. */
  private static boolean isNumber(String text) {
    return text.matches("\\d{1,20}(\\.\\d{1,9})?");
  }

  private static int indexOf(List<String> names, Set<String> wanted) {
    for (int i = 0; i < names.size(); i++) {
      if (wanted.contains(names.get(i))) {
        return i;
      }
    }
    return NONE;
  }

  /** Returns whether a line has the columns that it should. */
  boolean fit(List<String> fields) {
    return header ? fields.size() >= columns : fields.size() == columns;
  }
}
