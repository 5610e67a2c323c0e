// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.MalformedURLException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIServer;
import javax.net.ssl.SSLException;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where a process can be reached: its id on this machine, the host and port of its JMX registry, or
 * a whole service URL.
 */
public final class JmxAddress {
  private static final Pattern PID = Pattern.compile("\\d{1,10}");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("([\\w.-]+|\\[[0-9a-fA-F:]+\\]):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  /** What a service URL says that has a registry look up the connector: host, port and name. */
  private static final Pattern REGISTRY_URL =
      Pattern.compile(
          "service:jmx:rmi://[^/]*/jndi/rmi://([\\w.-]+|\\[[0-9a-fA-F:]+\\])(?::(\\d{1,5}))?/(.+)");

  private static final String USUAL_NAME = "jmxrmi";

  /** What the names of a registry's sockets begin with that encrypt. */
  private static final String TLS_SOCKETS = SslRMIClientSocketFactory.class.getName() + "@";

  private final String text;

  /** Null for a registry that is spoken to in the clear. */
  private final @Nullable SslRMIClientSocketFactory tls;

  private JmxAddress(String text, @Nullable SslRMIClientSocketFactory tls) {
    this.text = text;
    this.tls = tls;
  }

  /**
   * Returns the same address, reached by TLS alone: the registry, and the connector that it names.
   * Whom to trust, and who asks, is in the JDK's properties {@code javax.net.ssl}.
   *
   * @throws IllegalArgumentException if it is a process id, which is asked without a network, or a
   *     URL that does not name a registry, so that nothing shows whether it would be TLS
   */
  public JmxAddress overTls() {
    if (PID.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "process " + text + " is of this machine, and reached without TLS; leave --ssl out");
    }
    if (!isHostAndPort(text) && !REGISTRY_URL.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' names no RMI registry, and only of one can be told that its connector uses TLS;"
              + " give HOST:PORT or service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi with --ssl");
    }
    return new JmxAddress(text, new SslRMIClientSocketFactory());
  }

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it has none of the three forms, or is no whole URL
   */
  public static JmxAddress parse(String text) {
    if (!PID.matcher(text).matches() && !text.startsWith("service:jmx:") && !isHostAndPort(text)) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no process id, no HOST:PORT with a port from 1 to "
              + MAX_PORT
              + ", and no service:jmx: URL");
    }
    if (text.startsWith("service:")) {
      try {
        JMXServiceURL unused = new JMXServiceURL(text);
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(
            "'" + text + "' is no JMX address: " + e.getMessage(), e);
      }
    }
    return new JmxAddress(text, null);
  }

  private static boolean isHostAndPort(String text) {
    Matcher matcher = HOST_AND_PORT.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    int port = Integer.parseInt(matcher.group(2));
    return port >= 1 && port <= MAX_PORT;
  }

  /**
   * Connects.
   *
   * @param environment what the connector is given, such as credentials
   * @throws IOException if nothing answers; says what to look at
   */
  @SuppressWarnings("BanJNDI") // The operator names the address; it comes from nowhere else.
  public JMXConnector connect(Map<String, ?> environment) throws IOException {
    try {
      return tls == null
          ? JMXConnectorFactory.connect(url(), environment)
          : connectOverTls(environment, tls);
    } catch (SecurityException e) {
      throw new IOException(
          text + " refuses the login: " + e.getMessage() + "; give --user and --password-file", e);
    } catch (IOException e) {
      throw new IOException("can't reach " + text + " over JMX: " + reason(e), e);
    }
  }

  @SuppressWarnings("BanJNDI") // As above.
  private JMXConnector connectOverTls(Map<String, ?> environment, SslRMIClientSocketFactory sockets)
      throws IOException {
    Matcher place = HOST_AND_PORT.matcher(text);
    Matcher url = REGISTRY_URL.matcher(text);
    boolean isUrl = url.matches();
    Matcher named = isUrl ? url : place;
    if (!isUrl && !place.matches()) {
      throw new IOException("it names no RMI registry");
    }
    String host = named.group(1).replaceAll("[\\[\\]]", "");
    int port = named.group(2) == null ? Registry.REGISTRY_PORT : Integer.parseInt(named.group(2));
    String name = isUrl ? url.group(3) : USUAL_NAME;
    try {
      Remote server = LocateRegistry.getRegistry(host, port, sockets).lookup(name);
      if (!(server instanceof RMIServer connector) || !server.toString().contains(TLS_SOCKETS)) {
        throw new IOException(
            "its connector does not use TLS, and would get the password in the clear; set"
                + " com.sun.management.jmxremote.ssl=true there, or leave --ssl out");
      }
      JMXConnector connection = new RMIConnector(connector, environment);
      connection.connect();
      return connection;
    } catch (NotBoundException e) {
      throw new IOException("its registry knows no " + name, e);
    }
  }

  /** Names the cause, which RMI wraps, and the remedy. */
  private String reason(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("non-JRMP server")) {
        return "it answers, but not in the clear: the registry uses SSL. Give --ssl, and"
            + " --trust-store with a store that has the server's certificate";
      }
      if (cause instanceof SSLException) {
        return sslReason(message);
      }
    }
    boolean hasPort = tls == null && !PID.matcher(text).matches();
    return failure.getMessage() + (hasPort ? "; is its JMX port open?" : "");
  }

  private static String sslReason(String message) {
    if (message.contains("Unsupported or unrecognized SSL message")) {
      return "it does not speak SSL at this port; leave --ssl out";
    }
    if (message.contains("PKIX") || message.contains("trustAnchors")) {
      return "SSL: its certificate is not trusted ("
          + message
          + "); give --trust-store with a store that has it";
    }
    return "SSL: "
        + message
        + "; a server that asks for the client's certificate needs --key-store";
  }

  private JMXServiceURL url() throws IOException {
    if (PID.matcher(text).matches()) {
      return new JMXServiceURL(startAgent());
    }
    return new JMXServiceURL(
        text.startsWith("service:")
            ? text
            : "service:jmx:rmi:///jndi/rmi://" + text + "/" + USUAL_NAME);
  }

  /** Needs no open port, but the same user on the same machine. */
  private String startAgent() throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(text);
      try {
        return machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | IOException e) {
      throw new IOException(
          "can't attach to process "
              + text
              + ": "
              + e.getMessage()
              + "; it must be a JVM of the same user, on this machine",
          e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
