// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** Commits numbers to H2, and prints each when its commit has returned, until it is killed. */
public final class H2Program {
  private H2Program() {}

  /** Takes the database's path and how many numbers to add. */
  public static void main(String[] args) throws Exception {
    String url = "jdbc:h2:" + args[0] + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists t(id int primary key, text varchar)");
      int last;
      try (ResultSet rows =
          statement.executeQuery(
              "select count(*), coalesce(max(id), 0), sum(length(text)) from t")) {
        rows.next();
        last = rows.getInt(2);
        System.out.println("found " + rows.getInt(1) + " " + last + " " + rows.getLong(3));
      }
      try (PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?)")) {
        for (int i = last + 1; i <= last + Integer.parseInt(args[1]); i++) {
          insert.setInt(1, i);
          insert.setString(2, "x".repeat(100));
          insert.executeUpdate();
          System.out.println(i);
        }
      }
    }
    System.out.println("end");
  }
}
