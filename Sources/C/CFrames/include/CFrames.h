// Frames of AVIF, animated JPEG XL and video, odd kinds of TIFF and raw files of cameras, decoded by libavif, libjxl,
// FFmpeg's libraries, libtiff and LibRaw. The libraries are loaded when a file needs them; without them such a file
// cannot be opened.
#ifndef ALCEDO_CFRAMES_H
#define ALCEDO_CFRAMES_H

#include <stddef.h>
#include <stdint.h>

enum { alcedo_frames_avif, alcedo_frames_jxl, alcedo_frames_tiff, alcedo_frames_raw, alcedo_frames_video };

// Why a file could not be opened or a frame not be read.
enum {
    alcedo_frames_missing_library = 1,
    alcedo_frames_damaged,
    alcedo_frames_cut,
    alcedo_frames_no_picture,
    alcedo_frames_unsupported,
    alcedo_frames_no_memory
};

typedef struct alcedo_frames alcedo_frames;

typedef struct {
    // The size of every frame in pixels, before `orientation` is applied.
    int32_t width, height;
    // The number of frames; 1 for a video, whose only frame is its poster.
    int32_t count;
    // The number of pages, and the index of the one to open, which is set before.
    int32_t pages, page;
    // The number of times to play; 0 for endless.
    int32_t plays;
    // The EXIF orientation of frames, 1 to 8.
    int32_t orientation;
    // The colour space: code points of ITU-T H.273, tables 2 and 3; 2 if the file states none.
    int32_t primaries, transfer;
    // Whether the file ends before its last frame.
    int32_t is_cut;
    // The bits of a sample, 0 if they are not known, and whether the picture is grey.
    int32_t bits, is_grey;
    // The channels of a JPEG XL file beside its colours and alpha; 0 for other files.
    int32_t extra_channels;
} alcedo_frames_info;

// Whether the library of a kind can be loaded.
int alcedo_frames_available(int kind);

// Opens a file; the bytes must outlive it. NULL if it fails; `reason` says why. libavif and FFmpeg do not open a file
// whose frames have more than `pixels` pixels.
alcedo_frames *alcedo_frames_open(int kind, const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info,
                                  int *reason);

// The time in milliseconds for which a frame is shown.
int32_t alcedo_frames_delay(alcedo_frames *frames, int32_t index);

// Decodes a frame to width × height pixels of 8-bit RGBA, not multiplied by alpha; 0, or the reason for a failure.
int alcedo_frames_read(alcedo_frames *frames, int32_t index, uint8_t *pixels);

void alcedo_frames_close(alcedo_frames *frames);

// Of the frame of a JPEG XL file with extra channels that was read last: the colour profile, and black ink in a byte a
// pixel, 0 for full. NULL if there is none; they live until the next frame is read.
const void *alcedo_jxl_profile(alcedo_frames *frames, size_t *count);
const uint8_t *alcedo_jxl_black(alcedo_frames *frames);

#endif
