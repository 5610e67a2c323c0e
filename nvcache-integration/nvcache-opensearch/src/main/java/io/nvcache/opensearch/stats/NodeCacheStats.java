// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch.stats;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A snapshot of what a node's cache counts. Names end in {@code _in_bytes} where they are bytes.
 *
 * @param state of the cache, and its reason where it does not serve
 * @param numbers levels and counters, by name
 * @param offers blocks that were offered to the cache, by what became of them
 * @param extensions hits and misses by the extension of the file
 */
public record NodeCacheStats(
    String state,
    Map<String, Long> numbers,
    Map<String, Long> offers,
    Map<String, Map<String, Long>> extensions)
    implements Writeable, ToXContentFragment {

  /** Reads what {@link #writeTo} wrote. */
  public NodeCacheStats(StreamInput in) throws IOException {
    this(
        in.readString(),
        numbers(in),
        numbers(in),
        in.readMap(StreamInput::readString, NodeCacheStats::numbers));
  }

  private static Map<String, Long> numbers(StreamInput in) throws IOException {
    return in.readMap(StreamInput::readString, StreamInput::readLong);
  }

  private static void write(StreamOutput out, Map<String, Long> numbers) throws IOException {
    out.writeMap(numbers, StreamOutput::writeString, StreamOutput::writeLong);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(state);
    write(out, numbers);
    write(out, offers);
    out.writeMap(extensions, StreamOutput::writeString, NodeCacheStats::write);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("state", state);
    for (Map.Entry<String, Long> number : new TreeMap<>(numbers).entrySet()) {
      builder.field(number.getKey(), number.getValue());
    }
    builder.startObject("offers");
    for (Map.Entry<String, Long> outcome : new TreeMap<>(offers).entrySet()) {
      builder.field(outcome.getKey(), outcome.getValue());
    }
    builder.endObject();
    builder.startObject("extensions");
    for (Map.Entry<String, Map<String, Long>> extension : new TreeMap<>(extensions).entrySet()) {
      builder.startObject(extension.getKey());
      for (Map.Entry<String, Long> number : new TreeMap<>(extension.getValue()).entrySet()) {
        builder.field(number.getKey(), number.getValue());
      }
      builder.endObject();
    }
    return builder.endObject();
  }
}
