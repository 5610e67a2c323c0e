// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.JmxAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which process, and who asks. */
public final class JmxProcess {
  @Parameters(
      index = "0",
      paramLabel = "PROCESS",
      description = "A process id on this machine, HOST:PORT of a JMX registry, or a JMX URL.")
  private String process = "";

  @Option(names = "--user", paramLabel = "NAME", description = "The user to log in as.")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file whose first line is the user's password.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--ssl",
      description = "Use TLS for the registry, and for the connector. For HOST:PORT and" + " URLs.")
  private boolean ssl;

  @Option(
      names = "--trust-store",
      paramLabel = "FILE",
      description =
          "A key store with the certificates to trust. Default: the property"
              + " javax.net.ssl.trustStore, or the JDK's.")
  private @Nullable Path trustStore;

  @Option(
      names = "--trust-store-password-file",
      paramLabel = "FILE",
      description = "A file whose first line is the password of the trust store.")
  private @Nullable Path trustStorePasswordFile;

  @Option(
      names = "--key-store",
      paramLabel = "FILE",
      description =
          "A key store with the certificate to show to a server that asks for one. Default: the"
              + " property javax.net.ssl.keyStore.")
  private @Nullable Path keyStore;

  @Option(
      names = "--key-store-password-file",
      paramLabel = "FILE",
      description = "A file whose first line is the password of the key store.")
  private @Nullable Path keyStorePasswordFile;

  /** The process as it was named. */
  public String process() {
    return process;
  }

  public JMXConnector connect(CommandLine command) throws IOException {
    useStore(command, "trust", trustStore, trustStorePasswordFile);
    useStore(command, "key", keyStore, keyStorePasswordFile);
    try {
      JmxAddress address = JmxAddress.parse(process);
      return (ssl ? address.overTls() : address).connect(credentials(command));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, ?> credentials(CommandLine command) throws IOException {
    if ((user == null) != (passwordFile == null)) {
      throw new ParameterException(command, "--user and --password-file go together");
    }
    if (user == null || passwordFile == null) {
      return Map.of();
    }
    String[] login = {user, firstLine(command, "--password-file", passwordFile)};
    return Map.of(JMXConnector.CREDENTIALS, login);
  }

  /** For the whole process: RMI takes the sockets of a server's stub from the JDK's defaults. */
  private static void useStore(
      CommandLine command, String kind, @Nullable Path store, @Nullable Path passwordFile)
      throws IOException {
    String option = "--" + kind + "-store";
    if (store == null) {
      if (passwordFile != null) {
        throw new ParameterException(command, option + "-password-file goes with " + option);
      }
      return;
    }
    if (!Files.isReadable(store)) {
      throw new ParameterException(command, option + " " + store + " can't be read");
    }
    String property = "javax.net.ssl." + kind + "Store";
    System.setProperty(property, store.toString());
    if (passwordFile != null) {
      String password = firstLine(command, option + "-password-file", passwordFile);
      requireOpens(command, option, store, password);
      System.setProperty(property + "Password", password);
    }
  }

  /** Of a wrong password the JDK's defaults say that there is no such algorithm. */
  private static void requireOpens(
      CommandLine command, String option, Path store, String password) {
    try {
      KeyStore.getInstance(store.toFile(), password.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new ParameterException(
          command,
          option + " " + store + " can't be opened with its password: " + e.getMessage(),
          e);
    }
  }

  private static String firstLine(CommandLine command, String option, Path file)
      throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      if (line == null) {
        throw new ParameterException(command, option + " " + file + " is empty");
      }
      return line;
    }
  }
}
