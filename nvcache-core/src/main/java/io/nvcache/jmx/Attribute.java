// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.stats.Reading;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.management.ImmutableDescriptor;
import javax.management.InvalidAttributeValueException;
import javax.management.MBeanAttributeInfo;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@link AttributeTable}.
 *
 * @param setting the name that the settings of a cache have it by, if it can be set; else empty
 * @param get reads its value
 * @param set sets it; null if it can't be set
 */
record Attribute(
    String name,
    Type type,
    String description,
    String setting,
    Function<Reading, ?> get,
    @Nullable BiConsumer<BlockCache, @Nullable Object> set) {

  static Attribute of(String name, Type type, String description, Function<Reading, ?> get) {
    return new Attribute(name, type, description, "", get, null);
  }

  /** Returns its value as an open type. */
  Object read(Reading reading) {
    return type.opened(get.apply(reading));
  }

  /**
   * Returns what a client gave for it, as the cache takes it.
   *
   * @throws InvalidAttributeValueException if it is of another type
   */
  @Nullable Object taken(@Nullable Object given) throws InvalidAttributeValueException {
    if (given == null ? type.isPrimitive() : !type.open.isValue(given)) {
      throw new InvalidAttributeValueException(
          "Invalid value for attribute " + name + ": " + ClientText.of(given));
    }
    return given instanceof String[] texts ? Arrays.asList(texts) : given;
  }

  /** Returns what {@link NvCacheMXBean} would make of it. */
  MBeanAttributeInfo info() {
    return new MBeanAttributeInfo(
        name,
        type.className(),
        description,
        true,
        set != null,
        type == Type.BOOLEAN,
        new ImmutableDescriptor(
            new String[] {"openType", "originalType"}, new Object[] {type.open, type.original}));
  }

  /** The types of attributes, each as an open type and as {@link NvCacheMXBean} has it. */
  enum Type {
    LONG(SimpleType.LONG, "long"),
    DOUBLE(SimpleType.DOUBLE, "double"),
    BOOLEAN(SimpleType.BOOLEAN, "boolean"),
    TEXT(SimpleType.STRING, "java.lang.String"),
    TEXTS(texts(), "java.util.List<java.lang.String>"),
    COUNTS(SimpleType.LONG),
    RATIOS(SimpleType.DOUBLE),
    REASONS(SimpleType.STRING);

    @SuppressWarnings("ImmutableEnumChecker") // Open types are.
    private final OpenType<?> open;

    private final String original;

    Type(OpenType<?> open, String original) {
      this.open = open;
      this.original = original;
    }

    /** A table of values by text. */
    Type(SimpleType<?> value) {
      this.original = "java.util.Map<java.lang.String, " + value.getClassName() + ">";
      this.open = tableOf(original, value);
    }

    private boolean isPrimitive() {
      return !original.contains(".");
    }

    private String className() {
      return isPrimitive() ? original : open.getClassName();
    }

    private static OpenType<?> texts() {
      try {
        return new ArrayType<String[]>(1, SimpleType.STRING);
      } catch (OpenDataException e) {
        throw new AssertionError(e);
      }
    }

    private static TabularType tableOf(String name, SimpleType<?> value) {
      String[] items = {"key", "value"};
      try {
        CompositeType row =
            new CompositeType(
                name, name, items, items, new OpenType<?>[] {SimpleType.STRING, value});
        return new TabularType(name, name, row, new String[] {"key"});
      } catch (OpenDataException e) {
        throw new AssertionError(e);
      }
    }

    private Object opened(Object value) {
      if (value instanceof List<?> texts) {
        return texts.toArray(String[]::new);
      }
      return value instanceof Map<?, ?> map ? table(map) : value;
    }

    private TabularDataSupport table(Map<?, ?> map) {
      TabularType type = (TabularType) open;
      TabularDataSupport table = new TabularDataSupport(type);
      try {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          Map<String, ?> row =
              new TreeMap<>(Map.of("key", entry.getKey(), "value", entry.getValue()));
          table.put(new CompositeDataSupport(type.getRowType(), row));
        }
      } catch (OpenDataException e) {
        throw new AssertionError(e);
      }
      return table;
    }
  }
}
