// libvips' calls are variadic, which Swift cannot call: one inline function for each call the project makes.
#ifndef ALCEDO_CVIPS_H
#define ALCEDO_CVIPS_H
#include <vips/vips.h>
#endif
