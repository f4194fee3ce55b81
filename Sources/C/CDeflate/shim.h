// libdeflate: unpacks data that is completely in memory, several times as fast as zlib.
#ifndef ALCEDO_CDEFLATE_H
#define ALCEDO_CDEFLATE_H
#include <libdeflate.h>
#endif
