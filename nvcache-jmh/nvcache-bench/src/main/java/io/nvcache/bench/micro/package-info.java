// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of single operations of the engine. */
@NullMarked
package io.nvcache.bench.micro;

import org.jspecify.annotations.NullMarked;
