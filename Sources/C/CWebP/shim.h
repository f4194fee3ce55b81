// libwebp: WebP's own decoder.
#ifndef ALCEDO_CWEBP_H
#define ALCEDO_CWEBP_H
#include <webp/decode.h>
#endif
