// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * Commits rows to a store, by whatever it writes with: H2 by channels, Derby and HSQLDB by {@code
 * java.io}. Prints what it finds, and each row once its commit has returned.
 */
public final class StoreProgram {
  private static final Map<String, String> URLS =
      Map.of(
          "h2", "jdbc:h2:%s/h2;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
          "derby", "jdbc:derby:%s/derby;create=true",
          "hsqldb", "jdbc:hsqldb:file:%s/hsqldb;hsqldb.write_delay=false");

  private StoreProgram() {}

  /** Takes a directory, a store, and how many rows to add; ends as if killed. */
  public static void main(String[] args) throws SQLException {
    System.setProperty("derby.stream.error.file", Path.of(args[0], "../derby.log").toString());
    int rows = Integer.parseInt(args[2]);
    try (Connection connection = DriverManager.getConnection(URLS.get(args[1]).formatted(args[0]));
        Statement statement = connection.createStatement()) {
      int found = find(statement);
      System.out.println("found " + found);
      try (PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?)")) {
        long begin = System.nanoTime();
        for (int i = found + 1; i <= found + rows; i++) {
          insert.setInt(1, i);
          insert.setString(2, "x".repeat(90));
          insert.executeUpdate();
          System.out.println(i);
        }
        System.out.printf("%.0f a second%n", rows * 1e9 / (System.nanoTime() - begin));
        System.out.flush();
        Runtime.getRuntime().halt(9); // With nothing closed or drained.
      }
    }
  }

  private static int find(Statement statement) throws SQLException {
    try {
      statement.execute("create table t(id int primary key, text varchar(100))");
    } catch (SQLException e) {
      // It is there.
    }
    try (ResultSet found = statement.executeQuery("select count(*), max(id) from t")) {
      found.next();
      if (found.getInt(1) != found.getInt(2)) {
        throw new SQLException(found.getInt(1) + " rows up to " + found.getInt(2));
      }
      return found.getInt(1);
    }
  }
}
