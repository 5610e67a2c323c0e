// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import org.jspecify.annotations.Nullable;

/**
 * A data file of an SSTable as Cassandra has just opened it.
 *
 * @param channel its {@code ChannelProxy}
 * @param chunks its {@code CompressionMetadata}; null if it is not compressed
 * @param path where it lies
 * @param lengthBytes its length on the disk, or what of it may be read when it is opened early
 * @param early whether it was opened while it is still written
 * @param mapped whether it is mapped, so that its reads do not pass through the channel
 * @param chunkBytes the length of a chunk before compression, or of the buffer that reads fill
 */
public record OpenedFile(
    Object channel,
    @Nullable Object chunks,
    String path,
    long lengthBytes,
    boolean early,
    boolean mapped,
    int chunkBytes) {}
