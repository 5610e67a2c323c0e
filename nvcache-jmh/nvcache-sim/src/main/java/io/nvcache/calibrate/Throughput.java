// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

/**
 * What was moved in one slice of time.
 *
 * @param readBytesPerSecond of all readers together
 * @param writeBytesPerSecond of all writers together
 */
public record Throughput(double readBytesPerSecond, double writeBytesPerSecond) {}
