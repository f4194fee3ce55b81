// Nettle: SHA-256 with the processor's instructions, if it has them.
#ifndef ALCEDO_CNETTLE_H
#define ALCEDO_CNETTLE_H
#include <nettle/sha2.h>
#endif
