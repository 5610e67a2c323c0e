// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The cache-aware balancer of HBase 2.6.6, in its own class loader. All of it is from that
 * release's server, except two interfaces of {@code hbase-client}, which is on no registry: they
 * are compiled from what the balancer calls of them.
 */
final class Balancer266 implements AutoCloseable {
  private static final Path SERVER =
      Path.of(System.getProperty("nvcache.hbase.releases"), "hbase-server-2.6.6.jar");
  private static final String SUBSTITUTES = "org/apache/hadoop/hbase/%sMetrics.class";

  private final OwnFirst loader;
  private final Object balancer;

  Balancer266(Path directory, Configuration settings) throws Exception {
    for (String name : List.of("Region", "Server")) {
      compile(directory, name);
    }
    loader = new OwnFirst(new URL[] {directory.toUri().toURL(), SERVER.toUri().toURL()});
    Class<?> type =
        loader.loadClass("org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer");
    balancer = type.getConstructor().newInstance();
    Class<?> services = loader.loadClass("org.apache.hadoop.hbase.master.MasterServices");
    call("setMasterServices", services, answering(services, Map.of("getConfiguration", settings)));
    call("loadConf", Configuration.class, settings);
  }

  private static void compile(Path directory, String name) throws IOException {
    Path source = directory.resolve(name + "Metrics.java");
    try (InputStream in =
        Balancer266.class.getResourceAsStream("/balancer/" + source.getFileName())) {
      Files.write(source, in.readAllBytes());
    }
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-implicit:none",
                "-d",
                directory.toString(),
                "-cp",
                directory + ":" + System.getProperty("java.class.path"),
                source.toString());
    if (failures != 0 || !Files.exists(directory.resolve(SUBSTITUTES.formatted(name)))) {
      throw new IOException(source + " does not compile");
    }
  }

  /** Returns metrics, of a region or a server, that answer some calls. */
  Object metrics(String of, Map<String, Object> answers) throws ClassNotFoundException {
    return answering(loader.loadClass("org.apache.hadoop.hbase." + of + "Metrics"), answers);
  }

  private static Object answering(Class<?> type, Map<String, Object> answers) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answers.get(method.getName()));
  }

  /** Returns how many regions the balancer moves, and moves them. */
  int round(Map<ServerName, Object> servers, Map<ServerName, List<RegionInfo>> places)
      throws Exception {
    ClusterMetrics metrics =
        (ClusterMetrics)
            answering(ClusterMetrics.class, Map.of("getLiveServerMetrics", (Object) servers));
    call("updateClusterMetrics", ClusterMetrics.class, metrics);
    TableName table = places.values().iterator().next().get(0).getTable();
    List<?> plans = (List<?>) call("balanceCluster", Map.class, Map.of(table, places));
    if (plans == null) {
      return 0;
    }
    for (Object plan : plans) {
      RegionInfo region = (RegionInfo) get(plan, "getRegionInfo");
      places.values().forEach(regions -> regions.remove(region));
      places.get((ServerName) get(plan, "getDestination")).add(region);
    }
    return plans.size();
  }

  private static Object get(Object of, String getter) throws ReflectiveOperationException {
    return of.getClass().getMethod(getter).invoke(of);
  }

  private Object call(String method, Class<?> parameter, Object argument) throws Exception {
    try {
      return balancer.getClass().getMethod(method, parameter).invoke(balancer, argument);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }

  /** Looks for HBase's classes in its own places first. */
  private static final class OwnFirst extends URLClassLoader {
    OwnFirst(URL[] own) {
      super(own, Balancer266.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolves) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null
            && name.startsWith("org.apache.hadoop.hbase.")
            && findResource(name.replace('.', '/') + ".class") != null) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolves) : loaded;
      }
    }
  }
}
