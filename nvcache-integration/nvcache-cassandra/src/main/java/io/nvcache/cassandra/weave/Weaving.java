// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import static net.bytebuddy.matcher.ElementMatchers.is;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.nvcache.cassandra.agent.CachedFile;
import io.nvcache.cassandra.agent.Tagged;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.util.function.Function;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.pool.TypePool;

/**
 * Weaves the cache into the three classes of {@code org.apache.cassandra.io.util} through which
 * every buffered read of an SSTable goes, as they are loaded; and, to follow heat, into five
 * classes that read and write SSTables on behalf of queries and compactions. Classes that are
 * loaded already stay as they are; an agent comes before all of Cassandra's.
 */
public final class Weaving {
  static final String CHANNEL = "org.apache.cassandra.io.util.ChannelProxy";
  static final String BUILDER = "org.apache.cassandra.io.util.FileHandle$Builder";
  static final String CLEANUP = "org.apache.cassandra.io.util.FileHandle$Cleanup";

  static final String COMPACTION = "org.apache.cassandra.db.compaction.CompactionTask";
  static final String CHUNKS = "org.apache.cassandra.io.compress.CompressionMetadata";
  static final String TABLE_WRITER = "org.apache.cassandra.io.sstable.format.SortedTableWriter";
  static final String CHUNK_WRITER = "org.apache.cassandra.io.compress.CompressedSequentialWriter";
  static final String QUERY = "org.apache.cassandra.db.SinglePartitionReadCommand";

  private static final String TAG = "nvcacheFile";

  private Weaving() {}

  /** Whether the heat of compactions is followed, by five more classes. */
  public enum Heat {
    FOLLOWED,
    LEFT_ALONE
  }

  /**
   * Makes the JVM weave.
   *
   * @param cassandra the loader of Cassandra's classes
   * @return what has become of it so far
   */
  public static WeavingReport install(
      Instrumentation instrumentation, ClassLoader cassandra, Heat heat) {
    WeavingReport report = new WeavingReport();
    AgentBuilder builder =
        new AgentBuilder.Default(new ByteBuddy())
            .with(AgentBuilder.TypeStrategy.Default.REDEFINE)
            .with(report)
            .type(named(CHANNEL), is(cassandra))
            .transform(change(Weaving::tagAndReadThrough))
            .type(named(BUILDER), is(cassandra))
            .transform(advise(TagOnOpen.class, "complete", Function.class))
            .type(named(CLEANUP), is(cassandra))
            .transform(advise(ReleaseOnTidy.class, "tidy"));
    (heat == Heat.FOLLOWED ? followingHeat(builder, cassandra) : builder)
        .installOn(instrumentation);
    return report;
  }

  private static AgentBuilder followingHeat(AgentBuilder builder, ClassLoader cassandra) {
    return builder
        .type(named(COMPACTION), is(cassandra))
        .transform(advise(FollowCompaction.class, "runMayThrow"))
        .type(named(CHUNKS), is(cassandra))
        .transform(change(type -> advised(tagged(type), FollowChunk.class, "chunkFor", long.class)))
        .type(named(TABLE_WRITER), is(cassandra))
        .transform(
            change(
                type ->
                    type.visit(
                        advice(FollowPartition.class).on(named("append").and(takesArguments(1))))))
        .type(named(CHUNK_WRITER), is(cassandra))
        .transform(advise(FollowWrite.class, "flushData"))
        .type(named(QUERY), is(cassandra))
        .transform(
            change(
                type ->
                    type.visit(
                        advice(FollowQuery.class)
                            .on(named("queryMemtableAndDisk").and(takesArguments(2))))));
  }

  private static DynamicType.Builder<?> tagAndReadThrough(DynamicType.Builder<?> type) {
    return advised(tagged(type), ReadThrough.class, "read", ByteBuffer.class, long.class);
  }

  private static DynamicType.Builder<?> tagged(DynamicType.Builder<?> type) {
    return type.defineField(TAG, CachedFile.class, Visibility.PRIVATE)
        .implement(Tagged.class)
        .intercept(FieldAccessor.ofField(TAG));
  }

  private static AgentBuilder.Transformer advise(
      Class<?> advice, String method, Class<?>... arguments) {
    return change(type -> advised(type, advice, method, arguments));
  }

  private static DynamicType.Builder<?> advised(
      DynamicType.Builder<?> type, Class<?> advice, String method, Class<?>... arguments) {
    return type.visit(advice(advice).on(named(method).and(takesArguments(arguments))));
  }

  /**
   * Reads the advice and loads none of the classes that it names: what is loaded while another
   * class is woven is not woven itself.
   */
  private static Advice advice(Class<?> advice) {
    ClassFileLocator files = ClassFileLocator.ForClassLoader.of(advice.getClassLoader());
    return Advice.to(TypePool.Default.of(files).describe(advice.getName()).resolve(), files);
  }

  private static AgentBuilder.Transformer change(
      Function<DynamicType.Builder<?>, DynamicType.Builder<?>> change) {
    return (builder, type, loader, module, domain) -> change.apply(builder);
  }
}
