// libjpeg-turbo for Swift, which can neither call setjmp nor see bit fields: one file in memory at a time, row by row.
#ifndef ALCEDO_CJPEG_H
#define ALCEDO_CJPEG_H
#include <stddef.h>

typedef struct AlcedoJPEG AlcedoJPEG;

// Reads the header; `bytes` must outlive the result, which is to be closed. NULL for a file that libjpeg refuses, or
// whose colours it cannot turn into RGB.
AlcedoJPEG *alcedo_jpeg_open(const void *bytes, size_t count);

// The size that the file states.
int alcedo_jpeg_width(const AlcedoJPEG *file);
int alcedo_jpeg_height(const AlcedoJPEG *file);

// Begins to decode, each side divided by `shrink` (1, 2, 4 or 8) and rounded up, which the next two then answer; with
// four bytes a pixel, or with one, its lightness. 0, or -1 for a damaged file.
int alcedo_jpeg_start(AlcedoJPEG *file, int shrink, int is_grey);
int alcedo_jpeg_scaled_width(const AlcedoJPEG *file);
int alcedo_jpeg_scaled_height(const AlcedoJPEG *file);

// Writes up to `count` rows; the fourth byte of a pixel is 255. Answers how many, 0 at the end; -1 for a file that cannot
// be decoded. Rows after the end of a file that was cut off are grey.
int alcedo_jpeg_read(AlcedoJPEG *file, void *rows, int count);

typedef enum {
    alcedo_jpeg_whole,
    alcedo_jpeg_missing_end, // all pixels are there
    alcedo_jpeg_incomplete,
    alcedo_jpeg_corrupt
} AlcedoJPEGDamage;

// Ends the decoding after the last row, and answers what was wrong with the file; `text` becomes the reason.
AlcedoJPEGDamage alcedo_jpeg_finish(AlcedoJPEG *file, char *text, size_t capacity);

void alcedo_jpeg_close(AlcedoJPEG *file);
#endif
