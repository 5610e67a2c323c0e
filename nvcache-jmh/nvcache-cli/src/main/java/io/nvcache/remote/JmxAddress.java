// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Where a process can be reached: its id on this machine, the host and port of its JMX registry, or
 * a whole service URL.
 */
public final class JmxAddress {
  private static final Pattern PID = Pattern.compile("\\d{1,10}");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("([\\w.-]+|\\[[0-9a-fA-F:]+\\]):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  private final String text;

  private JmxAddress(String text) {
    this.text = text;
  }

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it has none of the three forms
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
    return new JmxAddress(text);
  }

  private static boolean isHostAndPort(String text) {
    var matcher = HOST_AND_PORT.matcher(text);
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
      return JMXConnectorFactory.connect(url(), environment);
    } catch (SecurityException e) {
      throw new IOException(
          text + " refuses the login: " + e.getMessage() + "; give --user and --password-file", e);
    } catch (IOException e) {
      throw new IOException(
          "can't reach " + text + " over JMX: " + e.getMessage() + "; is its JMX port open?", e);
    }
  }

  private JMXServiceURL url() throws IOException {
    if (PID.matcher(text).matches()) {
      return new JMXServiceURL(startAgent());
    }
    try {
      return new JMXServiceURL(
          text.startsWith("service:") ? text : "service:jmx:rmi:///jndi/rmi://" + text + "/jmxrmi");
    } catch (MalformedURLException e) {
      throw new IOException("'" + text + "' is no JMX address: " + e.getMessage(), e);
    }
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
