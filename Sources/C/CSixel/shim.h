// The part of libsixel the project uses: the reference encoder and, in tests, the reference decoder. Never its loaders.
#ifndef ALCEDO_CSIXEL_H
#define ALCEDO_CSIXEL_H
#include <sixel/sixel.h>
#include <stdlib.h>

// Macros that Swift cannot see.
static inline int csixel_pixelformat_pal8(void) { return SIXEL_PIXELFORMAT_PAL8; }
static inline int csixel_pixelformat_rgb888(void) { return SIXEL_PIXELFORMAT_RGB888; }
static inline int csixel_failed(SIXELSTATUS status) { return SIXEL_FAILED(status); }
#endif
