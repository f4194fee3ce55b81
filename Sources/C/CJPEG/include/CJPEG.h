// libjpeg-turbo for Swift, which can neither call setjmp nor see bit fields: one file in memory at a time, row by row.
#ifndef ALCEDO_CJPEG_H
#define ALCEDO_CJPEG_H
#include <stddef.h>

typedef struct AlcedoJPEG AlcedoJPEG;

// Reads the header. `bytes` must outlive the result, which the caller closes. Returns NULL for a file that libjpeg
// refuses, or whose colours it cannot convert to RGB.
AlcedoJPEG *alcedo_jpeg_open(const void *bytes, size_t count);

// The size that the file states.
int alcedo_jpeg_width(const AlcedoJPEG *file);
int alcedo_jpeg_height(const AlcedoJPEG *file);

// Begins to decode. Each side is divided by `shrink` (1, 2, 4 or 8) and rounded up; the next two functions return the
// result. A pixel has four bytes, or one byte of lightness if `is_grey`. Returns 0, or -1 for a damaged file.
int alcedo_jpeg_start(AlcedoJPEG *file, int shrink, int is_grey);
int alcedo_jpeg_scaled_width(const AlcedoJPEG *file);
int alcedo_jpeg_scaled_height(const AlcedoJPEG *file);

// Writes up to `count` rows; the fourth byte of a pixel is 255. Returns their number, 0 at the end, or -1 for a file
// that cannot be decoded. Rows after the end of a file that was cut off are grey.
int alcedo_jpeg_read(AlcedoJPEG *file, void *rows, int count);

typedef enum {
    alcedo_jpeg_whole,
    alcedo_jpeg_missing_end, // all pixels are there
    alcedo_jpeg_incomplete,
    alcedo_jpeg_corrupt
} AlcedoJPEGDamage;

// Ends the decoding after the last row, and returns what was wrong with the file; writes the reason to `text`.
AlcedoJPEGDamage alcedo_jpeg_finish(AlcedoJPEG *file, char *text, size_t capacity);

void alcedo_jpeg_close(AlcedoJPEG *file);

// Encodes pixels of four bytes, the fourth of which is ignored, with chroma of half the size below a quality of 90. Returns
// a file that the caller frees, and its size; NULL if libjpeg refuses the size or has no memory.
unsigned char *alcedo_jpeg_encode(const void *pixels, int width, int height, int quality, size_t *count);
#endif
