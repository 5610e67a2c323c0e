// SPDX-License-Identifier: Apache-2.0
/** Models of devices that few machines have, and media that behave like them. */
@NullMarked
package io.nvcache.device;

import org.jspecify.annotations.NullMarked;
