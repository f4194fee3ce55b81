// The part of libsixel the project uses: palettes and the reference encoder. Never its loaders.
#ifndef ALCEDO_CSIXEL_H
#define ALCEDO_CSIXEL_H
#include <sixel/sixel.h>
#endif
