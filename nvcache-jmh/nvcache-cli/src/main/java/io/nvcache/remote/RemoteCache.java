// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** The bean of one cache in another process. */
public final class RemoteCache {
  private static final String BEAN_INTERFACE = "io.nvcache.jmx.NvCacheMXBean";

  private final MBeanServerConnection server;
  private final ObjectName name;

  private RemoteCache(MBeanServerConnection server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /** All caches that a process shows, under whatever names its host gave them. */
  public static List<RemoteCache> all(MBeanServerConnection server) throws IOException {
    List<RemoteCache> caches = new ArrayList<>();
    server.queryNames(null, Query.isInstanceOf(Query.value(BEAN_INTERFACE))).stream()
        .sorted()
        .forEach(name -> caches.add(new RemoteCache(server, name)));
    return caches;
  }

  /** The bean's name on its server. */
  public ObjectName objectName() {
    return name;
  }

  /** The name that the cache was registered with. */
  public String cacheName() {
    String key = name.getKeyProperty("cache");
    String value = key == null ? name.getKeyProperty("name") : key;
    return value.startsWith("\"") ? ObjectName.unquote(value) : value;
  }

  /** What can be read or written, by name. */
  public Map<String, MBeanAttributeInfo> attributes() throws IOException {
    Map<String, MBeanAttributeInfo> attributes = new TreeMap<>();
    try {
      Arrays.stream(server.getMBeanInfo(name).getAttributes())
          .forEach(attribute -> attributes.put(attribute.getName(), attribute));
    } catch (JMException e) {
      throw gone(e);
    }
    return attributes;
  }

  /** One attribute: a number, a text, an array of texts, or a map of either. */
  public Object get(String attribute) throws IOException {
    try {
      return plain(server.getAttribute(name, attribute));
    } catch (RuntimeMBeanException e) {
      throw new IOException(RemoteText.of(e.getTargetException().getMessage()), e);
    } catch (JMException e) {
      throw gone(e);
    }
  }

  /** Returns several attributes by name, read by one request and so within one moment. */
  public Map<String, Object> get(List<String> attributes) throws IOException {
    Map<String, Object> values = new HashMap<>();
    try {
      server
          .getAttributes(name, attributes.toArray(String[]::new))
          .asList()
          .forEach(attribute -> values.put(attribute.getName(), plain(attribute.getValue())));
    } catch (JMException e) {
      throw gone(e);
    }
    for (String attribute : attributes) {
      if (!values.containsKey(attribute)) {
        values.put(attribute, get(attribute)); // Says why it could not be read.
      }
    }
    return values;
  }

  /**
   * Sets one attribute.
   *
   * @throws IllegalArgumentException if the cache refuses the value
   */
  public void set(String attribute, Object value) throws IOException {
    try {
      server.setAttribute(name, new Attribute(attribute, value));
    } catch (RuntimeMBeanException e) {
      throw new IllegalArgumentException(RemoteText.of(e.getTargetException().getMessage()), e);
    } catch (JMException e) {
      throw gone(e);
    }
  }

  /**
   * Calls an operation.
   *
   * @param arguments doubles and longs
   * @throws IllegalArgumentException if the cache refuses them
   */
  public void invoke(String operation, Object... arguments) throws IOException {
    String[] types =
        Arrays.stream(arguments)
            .map(argument -> argument instanceof Double ? "double" : "long")
            .toArray(String[]::new);
    try {
      server.invoke(name, operation, arguments, types);
    } catch (RuntimeMBeanException e) {
      throw new IllegalArgumentException(RemoteText.of(e.getTargetException().getMessage()), e);
    } catch (JMException e) {
      throw gone(e);
    }
  }

  /** Receives the cache's events. */
  public void listen(NotificationListener listener) throws IOException {
    try {
      server.addNotificationListener(name, listener, null, null);
    } catch (JMException e) {
      throw gone(e);
    }
  }

  private IOException gone(JMException e) {
    return new IOException(RemoteText.of(name + " is not there any more: " + e.getMessage()), e);
  }

  /** Tables become maps; JMX sends maps as tables of a key and a value. Texts become plain. */
  private static Object plain(Object value) {
    if (value instanceof String text) {
      return RemoteText.of(text);
    }
    if (value instanceof String[] texts) {
      return Arrays.stream(texts).map(RemoteText::of).toArray(String[]::new);
    }
    if (!(value instanceof TabularData table)) {
      return value;
    }
    Map<String, Object> map = new TreeMap<>();
    for (Object row : table.values()) {
      CompositeData entry = (CompositeData) row;
      map.put(RemoteText.of(entry.get("key").toString()), plain(entry.get("value")));
    }
    return map;
  }

  /** The cache of a name, or the only one if none is asked for. */
  public static Optional<RemoteCache> named(List<RemoteCache> caches, String wanted) {
    return caches.stream()
        .filter(
            cache ->
                wanted.isEmpty()
                    || cache.cacheName().equals(wanted)
                    || cache.objectName().toString().equals(wanted))
        .findFirst();
  }
}
