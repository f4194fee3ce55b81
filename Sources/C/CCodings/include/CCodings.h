// Brotli and Zstandard, whose libraries are loaded at the first use: codings of bodies, and of boxes in JPEG XL.
#ifndef ALCEDO_CCODINGS_H
#define ALCEDO_CCODINGS_H

#include <stddef.h>
#include <stdint.h>

typedef enum { alcedo_coding_brotli, alcedo_coding_zstd } alcedo_coding;

// Decodes a stream to at most `limit` bytes. Returns their number, -1 for a damaged stream, -2 for more than `limit`
// bytes, -3 for a missing library, -4 for a lack of memory. The caller frees `*decoded`.
int64_t alcedo_decode(alcedo_coding coding, const void *bytes, size_t count, size_t limit, uint8_t **decoded);

#endif
