// The part of zlib the project uses: inflating gzip, as lists may be packed, and deflating pixels for kitty and iTerm2.
#ifndef ALCEDO_CZLIB_H
#define ALCEDO_CZLIB_H
#include <zlib.h>

// A macro that Swift cannot see; 16 added to the window's bits asks for gzip's own header and check sums.
static inline int alcedo_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
#endif
