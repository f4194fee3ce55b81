// libdeflate: unpacks what is in memory as a whole, several times as fast as zlib.
#ifndef ALCEDO_CDEFLATE_H
#define ALCEDO_CDEFLATE_H
#include <libdeflate.h>
#endif
