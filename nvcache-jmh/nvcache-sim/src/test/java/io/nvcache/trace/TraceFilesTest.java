// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFilesTest {
  @TempDir private Path directory;

  private static Trace sample() {
    TraceBuilder trace = new TraceBuilder();
    trace.add(TraceOp.READ, 7, 4096);
    trace.add(TraceOp.WRITE, 8, 512);
    trace.add(TraceOp.READ, 4_000_000_000L, 100_000);
    trace.add(TraceOp.READ, 7, 4096);
    trace.add(TraceOp.FREE, 8, 0);
    return trace.build();
  }

  private static String text(Trace trace) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < trace.records(); i++) {
      text.append(trace.op(i)).append(' ').append(trace.place(trace.block(i)));
      text.append(' ').append(trace.sizeBytes(i)).append('\n');
    }
    return text.toString();
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private Path file(String name, String text) throws IOException {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"a.nvt, NVTR", "a.nvt.gz, NVTR", "a.csv, CSV", "a.csv.gz, CSV"})
  void shouldReadWhatItWrote(String name, TraceFormat format) throws IOException {
    Path file = directory.resolve(name);
    TraceFiles.write(sample(), file, format);
    assertThat(text(TraceFiles.read(file, null))).isEqualTo(text(sample()));
    assertThat(text(TraceFiles.read(file, format))).isEqualTo(text(sample()));
  }

  @ParameterizedTest
  @CsvSource({
    "a.oracleGeneral, ORACLE_GENERAL",
    "a.oracleGeneral.gz, ORACLE_GENERAL",
    "a.txt, KEYS"
  })
  void shouldKeepReadsWhereThereIsNoMore(String name, TraceFormat format) throws IOException {
    Path file = directory.resolve(name);
    TraceFiles.write(sample(), file, format);
    assertThat(text(TraceFiles.read(file, null)))
        .isEqualTo("READ 7 4096\nREAD 4000000000 100000\nREAD 7 4096\n");
  }

  @Test
  void shouldPinTheBytesOfNvtr() throws IOException {
    Path file = directory.resolve("a.nvt");
    TraceFiles.write(sample(), file, TraceFormat.NVTR);
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
        .startsWith("4e56545200010009" + "0000000000000005" + "000000000700001000" + "0100000008")
        .hasSize(2 * (16 + 5 * 9));
  }

  @Test
  void shouldPinTheBytesOfOracleGeneral() throws IOException {
    Path file = directory.resolve("a.oracleGeneral");
    TraceFiles.write(sample(), file, TraceFormat.ORACLE_GENERAL);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.remaining()).isEqualTo(3 * 24);
    assertThat(bytes.getLong(4)).isEqualTo(7);
    assertThat(bytes.getInt(12)).isEqualTo(4096);
    assertThat(bytes.getLong(16)).as("read 7 comes again as number").isEqualTo(2);
    assertThat(bytes.getLong(24 + 16)).as("never again").isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a.csv | 1,77,512~2,78,600~          | READ 77 512~READ 78 600~",
        "a.csv | time,op,key,size~0,set,a,5~1,get,5,6~ | WRITE 1 5~READ 0 6~",
        "a.csv | obj_id;obj size~3;0~        | READ 3 1~",
        "a.tsv | 9\t8\t7~                    | READ 8 7~",
        "a.txt | # comment~~12~13 99~14,100~ | READ 12 4096~READ 13 99~READ 14 100~",
      })
  void shouldReadText(String name, String lines, String expected) throws IOException {
    Trace trace = TraceFiles.read(file(name, lines.replace('~', '\n').replace("\\t", "\t")), null);
    String places = text(trace);
    // A key that is no number has no place: blocks are numbered as they come.
    String wanted = lines.contains("set,a") ? "WRITE 0 5~READ 1 6~" : expected;
    assertThat(places).isEqualTo(wanted.replace('~', '\n'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.csv | 1,77,x~       | line 1 is '1,77,x': the size 'x' is not a whole number",
        "a.csv | 1,77,-5~      | line 1 is '1,77,-5': the size '-5' is not a whole number",
        "a.csv | 1,77,1~2,78~  | line 2 is '2,78': it has 2 columns; expected 3, time,object,size",
        "a.csv | op,id~eat,5~  | line 2 is 'eat,5': its operation is unknown",
        "a.csv | op,id~get,~   | line 2 is 'get,': it names no block",
        "a.csv | op,id~set,3~  | it holds no read",
        "a.txt | 1 2 3~        | line 1 is '1 2 3': expected a key, and maybe a size",
        "a.txt | 1 99999999999~ | line 1 is '1 99999999999': the size '99999999999' is not",
        "a.txt | ~             | it holds no read",
        "a.oracleGeneral | 0123456789 | the file ends in record 0; its length must be a multiple of"
            + " 24",
        "a.nvt | NVTX0000      | the file does not begin with NVTR",
        "a.nvt | NVT           | the file ends in its header of 16 bytes",
        "a.nvt | NVTR          | the file ends in its header of 16 bytes",
        "a.bin | 1             | neither its first bytes nor its name tell its format; name it",
      })
  void shouldTellWhatIsWrong(String name, String content, String message) throws IOException {
    Path file = file(name, content.replace('~', '\n'));
    assertThatThrownBy(() -> TraceFiles.read(file, null))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("can't read trace " + file + ": " + message);
  }

  /** Zeros in front are part of a name; files that keep blocks apart so must not lose that. */
  @ParameterizedTest
  @CsvSource({"a.txt, '7~007~07~7~'", "a.csv, '1,7,1~2,007,1~3,07,1~4,7,1~'"})
  void shouldKeepKeysApartThatDifferInTheirZeros(String name, String lines) throws IOException {
    Trace trace = TraceFiles.read(file(name, lines.replace('~', '\n')), null);
    assertThat(trace.blocks()).isEqualTo(3);
    assertThat(trace.block(3)).isEqualTo(trace.block(0));
  }

  @Test
  void shouldNotShowWhatWouldSteerATerminal() throws IOException {
    Path file = file("a.csv", "1,77,\u001b]0;owned\u0007\u009b2J\n");
    assertThatThrownBy(() -> TraceFiles.read(file, null))
        .hasMessageContaining("line 1 is '1,77,?]0;owned??2J': the size '?]0;owned??2J' is not");
  }

  private static byte[] nvtr(int version, long records, int op, int size) {
    return ByteBuffer.allocate(25)
        .putInt(0x4e565452)
        .putShort((short) version)
        .putShort((short) 9)
        .putLong(records)
        .put((byte) op)
        .putInt(1)
        .putInt(size)
        .array();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | 1 | 0 | 1 | the file has NVTR version 2 and 9 bytes a record; known is version 1 with"
            + " 9",
        "1 | 2 | 0 | 1 | the file ends in record 1 of the 2 that its header announces",
        "1 | 0 | 0 | 1 | the file continues after the 0 records that its header announces",
        "1 | -1 | 0 | 1 | the header announces 18446744073709551615 records",
        "1 | 1 | 6 | 1 | record 0 has op 6; known are 0 (read), 1 (write), 2 (free)",
        "1 | 1 | 0 | 0 | record 0 has a block of 0 bytes; it must be between 1 and",
        "1 | 1 | 0 | -1 | record 0 has a block of 4294967295 bytes; it must be between 1 and",
      })
  void shouldTellWhatIsWrongInNvtr(int version, long records, int op, int size, String message)
      throws IOException {
    Path file = file("a.nvt", nvtr(version, records, op, size));
    assertThatThrownBy(() -> TraceFiles.read(file, null)).hasMessageContaining(message);
  }

  @Test
  void shouldTellBrokenCompression() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(nvtr(1, 1, 0, 1));
    }
    byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() - 12);
    assertThatThrownBy(() -> TraceFiles.read(file("a.nvt.gz", cut), null))
        .isInstanceOf(TraceFormatException.class);
    assertThatThrownBy(
            () -> TraceFiles.read(file("b.gz", HexFormat.of().parseHex("1f8b0000")), null))
        .hasMessageContaining("its gzip is broken");
    byte[] zstd = HexFormat.of().parseHex("28b52ffd00");
    assertThatThrownBy(() -> TraceFiles.read(file("c.zst", zstd), null))
        .hasMessageContaining("it is compressed with zstd; unpack it with unzstd first");
  }

  @Test
  void shouldCountTheMostThatLivesAtATime() throws IOException {
    Trace trace =
        TraceFiles.read(
            file("a.csv", "op,id,size\nr,1,10\nw,2,20\nd,1,0\nw,3,5\nr,3,5\nd,2,0\nw,4,30\n"),
            null);
    assertThat(trace.blocks()).isEqualTo(4);
    assertThat(trace.footprintBytes()).isEqualTo(35);
    assertThat(trace.largestSizeBytes()).isEqualTo(30);
  }

  @Test
  void shouldSayThatNoFileCanHaveTheName() {
    assertThatThrownBy(() -> TraceSource.parse("a\0b"))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("no file can have this name");
  }

  /** As they are published: without a line that names the columns, and under other names. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "two.csv | 128166372003061629,hm,0,Read,8192,4096,4~128166372003061630,prn,0,Read,8192,4096,4 |"
            + " READ 4096~READ 4096 | 2",
        "b.csv | \uFEFF128166372003061629,hm,0,Read,8192,4096,4 | READ 4096 | 1",
        "a.csv | Timestamp,Hostname,DiskNumber,Type,Offset,Size~1,hm,1,Read,8192,4096~2,prn,1,Read,8192,4096"
            + " | READ 4096~READ 4096 | 2",
        "a.csv | timestamp,offset,size,io_type,volume_id~1,16,8,0,7~2,16,8,1,9 |"
            + " READ 4096~WRITE 4096 | 2",
        "hm_0.csv |"
            + " 128166372003061629,hm,1,Read,383496192,32768,413~128166372016382155,hm,1,Write,8192,4096,68~128166372026382245,hm,0,Read,8192,4096,9"
            + " | READ 32768~WRITE 4096~READ 4096 | 3",
        "cluster52.sort |"
            + " 0,q4Zq,14,120,1,get,0~0,q4Zq,14,0,2,gets,0~1,other,20,300,1,cas,86400~2,q4Zq,14,0,1,delete,0"
            + " | READ 134~READ 14~WRITE 320~FREE 0 | 2",
        "io_traces |"
            + " 419,W,8792731648,16384,1577808000000046~725,R,8792731648,4096,1577808000000050~419,R,8792731648,16384,1577808000000103"
            + " | WRITE 16384~READ 4096~READ 16384 | 2",
        "2018-10-01-01 |"
            + " 1538323199,12910952128,128,0,1063~1538323199,12910952128,8,1,1064~1538323200,12910952128,128,0,1063"
            + " | READ 65536~WRITE 4096~READ 65536 | 2",
        "a.csv |"
            + " device_id,opcode,offset,length,timestamp~419,W,8192,16384,15~725,R,8192,4096,16~419,R,8192,16384,17"
            + " | WRITE 16384~READ 4096~READ 16384 | 2",
        "a.csv |"
            + " Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime~1,hm,1,Read,8192,4096,4~2,hm,2,Write,8192,4096,4"
            + " | READ 4096~WRITE 4096 | 2",
        "a.csv | Timestamp,Offset,Size,IOType,VolumeID~1,16,8,0,7~2,16,8,1,9 | READ 4096~WRITE 4096"
            + " | 2",
        "a.csv | timestamp,anonymized key,key size,value size,client"
            + " id,operation,TTL~0,k,4,20,1,get,0 | READ 24 | 1",
        "a.csv |"
            + " Timestamp,Response,IOType,LUN,Offset,Size~1.5,0.1,R,3,8192,4096~1.6,0.1,W,4,8192,512"
            + " | READ 4096~WRITE 512 | 2",
      })
  void shouldTakePublishedTracesForWhatTheyAre(String name, String text, String records, int blocks)
      throws IOException {
    Trace trace = TraceFiles.read(file(name, text.replace('~', '\n')), null);

    List<String> read = new ArrayList<>();
    for (int i = 0; i < trace.records(); i++) {
      read.add(trace.op(i) + " " + trace.sizeBytes(i));
    }
    assertThat(String.join("~", read)).isEqualTo(records);
    assertThat(trace.blocks()).isEqualTo(blocks);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,20941264,8192,W,0.551706 | its first line has 5 columns",
        "128166372003061629,hm,1,Flush,383496192,32768,413 | its first line has 7 columns",
        "1,2,3,4 | its first line has 4 columns",
        "0,17,4096,1,2,0,4 | its first line has 7 columns",
        "1,hm,0,Read,8192,4096,4~2,hm,0,Read,abc,4096,4 | line 2 is '2,hm,0,Read,abc,4096,4': its offset 'abc'",
        "1,hm,0,Read,8192,4096,4~2,hm,0,Read,-5,4096,4 | its offset '-5' is not a whole number",
        "419,W,8192,16384,15~419,W,,16384,15 | it names no block",
        "1,16,8,0,7~2,1e3,8,0,7 | its offset '1e3' is not a whole number",
        "timestamp,offset,size,op~1,x,8,r | its offset 'x' is not a whole number",
        "when,what,much~1,2,3 | its first line has 3 columns, 'when,what,much', which are none of",
        "key,op,size,op_count,key_size~a,GET,1,2,3 | its column op_count says how often",
        "419,W,8192,16384,15~419,W,8192 | line 2 is '419,W,8192': it has 3 columns; expected 5",
        "1,9,8,0,7~2,9,4194304,0,7 | line 2 is '2,9,4194304,0,7': its size is more than",
      })
  void shouldNameTheColumnsThatItDoesNotKnow(String text, String why) throws IOException {
    Path file = file("a.csv", text.replace('~', '\n'));

    assertThatThrownBy(() -> TraceFiles.read(file, null))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(why);
  }
}
