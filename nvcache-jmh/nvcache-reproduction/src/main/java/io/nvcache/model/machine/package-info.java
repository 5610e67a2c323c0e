// SPDX-License-Identifier: Apache-2.0
/** The simulated machine: devices that activities queue at, and its clock. */
@NullMarked
package io.nvcache.model.machine;

import org.jspecify.annotations.NullMarked;
