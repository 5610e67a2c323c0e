// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import net.bytebuddy.description.ByteCodeElement;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * Says whether this is a Cassandra that the weaving was made for: a 5.0, with each method and field
 * that the woven code uses, of the expected type. Reads class files and loads no class, so that a
 * node that is refused stays untouched.
 */
public final class CassandraShape {
  private static final String VERSION_FILE = "org/apache/cassandra/config/version.properties";
  private static final String LINE = "5.0.";

  private static final String CHANNEL_TYPE = "Lorg/apache/cassandra/io/util/ChannelProxy;";
  private static final String HANDLE = "org.apache.cassandra.io.util.FileHandle";
  private static final String COMPACTIONS = "org.apache.cassandra.db.compaction.CompactionManager";
  private static final String CHUNK = Weaving.CHUNKS + "$Chunk";
  private static final String TABLE_TYPE = "Lorg/apache/cassandra/schema/TableMetadata;";
  private static final String KEY_TYPE = "Lorg/apache/cassandra/db/DecoratedKey;";
  private static final String WRITER = "org.apache.cassandra.io.util.SequentialWriter";
  private static final String SETTINGS = "org.apache.cassandra.config.DatabaseDescriptor";

  /** The members by class: a name, a blank and a descriptor as in class files. */
  private static final Map<String, List<String>> MEMBERS =
      Map.of(
          Weaving.CHANNEL,
          List.of(
              "read (Ljava/nio/ByteBuffer;J)I",
              "filePath ()Ljava/lang/String;",
              "getFileDescriptor ()I"),
          Weaving.BUILDER,
          List.of(
              "complete (Ljava/util/function/Function;)L" + HANDLE.replace('.', '/') + ";",
              "compressionMetadata L" + Weaving.CHUNKS.replace('.', '/') + ";",
              "bufferSize I",
              "lengthOverride J",
              "mmapped Z"),
          Weaving.CLEANUP,
          List.of("tidy ()V", "channel " + CHANNEL_TYPE),
          HANDLE,
          List.of(
              "channel " + CHANNEL_TYPE,
              "onDiskLength J",
              "compressionMetadata ()Ljava/util/Optional;"),
          Weaving.CHUNKS,
          List.of("chunkLength ()I", "maxCompressedLength ()I"),
          COMPACTIONS,
          List.of("isCompactor (Ljava/lang/Thread;)Z"),
          SETTINGS,
          List.of("getAllDataFileLocations ()[Ljava/lang/String;"));

  /** The same for the heat of compactions: without one of them, the cache goes without heat. */
  private static final Map<String, List<String>> HEAT_MEMBERS =
      Map.ofEntries(
          Map.entry(Weaving.COMPACTION, List.of("runMayThrow ()V")),
          Map.entry(Weaving.CHUNKS, List.of("chunkFor (J)L" + CHUNK.replace('.', '/') + ";")),
          Map.entry(CHUNK, List.of("offset J")),
          Map.entry(
              Weaving.TABLE_WRITER,
              List.of(
                  "append (Lorg/apache/cassandra/db/rows/UnfilteredRowIterator;)"
                      + "Lorg/apache/cassandra/io/sstable/AbstractRowIndexEntry;",
                  "dataWriter L" + WRITER.replace('.', '/') + ";")),
          Map.entry("org.apache.cassandra.io.sstable.SSTable", List.of("metadata ()" + TABLE_TYPE)),
          Map.entry(
              "org.apache.cassandra.db.rows.BaseRowIterator",
              List.of("partitionKey ()" + KEY_TYPE)),
          Map.entry(WRITER, List.of("position ()J", "getPath ()Ljava/lang/String;")),
          Map.entry(Weaving.CHUNK_WRITER, List.of("flushData ()V", "chunkOffset J")),
          Map.entry(
              Weaving.QUERY,
              List.of(
                  "queryMemtableAndDisk (Lorg/apache/cassandra/db/ColumnFamilyStore;"
                      + "Lorg/apache/cassandra/db/ReadExecutionController;)"
                      + "Lorg/apache/cassandra/db/rows/UnfilteredRowIterator;")),
          Map.entry(
              "org.apache.cassandra.db.SinglePartitionReadQuery",
              List.of("partitionKey ()" + KEY_TYPE)),
          Map.entry("org.apache.cassandra.db.ReadQuery", List.of("metadata ()" + TABLE_TYPE)),
          Map.entry(
              "org.apache.cassandra.db.DecoratedKey", List.of("getKey ()Ljava/nio/ByteBuffer;")),
          Map.entry(
              "org.apache.cassandra.schema.TableMetadata",
              List.of("id Lorg/apache/cassandra/schema/TableId;")),
          Map.entry(
              COMPACTIONS,
              List.of(
                  "instance L" + COMPACTIONS.replace('.', '/') + ";",
                  "getRateLimiter ()Lcom/google/common/util/concurrent/RateLimiter;")));

  private final ClassLoader loader;

  public CassandraShape(ClassLoader loader) {
    this.loader = loader;
  }

  /** Returns the version of the Cassandra on the class path; null if there is none. */
  public @Nullable String version() {
    try (InputStream file = loader.getResourceAsStream(VERSION_FILE)) {
      if (file == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(file);
      return properties.getProperty("CassandraVersion");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what does not fit, in one line; null if all does. */
  public @Nullable String problem() {
    String version = version();
    if (version == null) {
      return "there is no Cassandra on the class path";
    }
    if (!version.startsWith(LINE)) {
      return "this is Cassandra " + version + "; the agent is made for " + LINE + "x";
    }
    return missing(MEMBERS);
  }

  /**
   * Returns what keeps the heat of compactions from being followed in a Cassandra that fits
   * otherwise, in one line; null if nothing does.
   */
  public @Nullable String heatProblem() {
    return missing(HEAT_MEMBERS);
  }

  private @Nullable String missing(Map<String, List<String>> members) {
    try (ClassFileLocator files = ClassFileLocator.ForClassLoader.of(loader)) {
      TypePool types = TypePool.Default.of(files);
      return members.entrySet().stream()
          .map(wanted -> missing(types, wanted.getKey(), wanted.getValue()))
          .filter(missing -> missing != null)
          .findFirst()
          .map(missing -> "Cassandra " + version() + " has no " + missing)
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String missing(TypePool types, String className, List<String> members) {
    TypePool.Resolution found = types.describe(className);
    if (!found.isResolved()) {
      return className;
    }
    TypeDescription type = found.resolve();
    return members.stream()
        .filter(member -> !has(type, member))
        .findFirst()
        .map(member -> className + "." + member)
        .orElse(null);
  }

  private static boolean has(TypeDescription type, String member) {
    return type.getDeclaredMethods().stream().anyMatch(method -> is(method, member))
        || type.getDeclaredFields().stream().anyMatch(field -> is(field, member));
  }

  private static boolean is(ByteCodeElement element, String member) {
    return member.equals(element.getActualName() + " " + element.getDescriptor());
  }
}
