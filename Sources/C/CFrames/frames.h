// What the decoders share.
#ifndef ALCEDO_FRAMES_H
#define ALCEDO_FRAMES_H

#include "CFrames.h"
#include <dlfcn.h>
#include <pthread.h>

// A decoder; each file begins with this.
struct alcedo_frames {
    int32_t (*delay)(alcedo_frames *frames, int32_t index);
    int (*read)(alcedo_frames *frames, int32_t index, uint8_t *pixels);
    void (*close)(alcedo_frames *frames);
};

alcedo_frames *alcedo_avif_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info, int *reason);
alcedo_frames *alcedo_jxl_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info, int *reason);
alcedo_frames *alcedo_video_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info, int *reason);
alcedo_frames *alcedo_tiff_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info, int *reason);
alcedo_frames *alcedo_raw_open(const void *bytes, size_t count, alcedo_frames_info *info, int *reason);
int alcedo_avif_load(void);
int alcedo_jxl_load(void);
int alcedo_video_load(void);
int alcedo_tiff_load(void);
int alcedo_raw_load(void);

// A table of a library's functions, and the code that fills it: USE(name) for each.
#define ALCEDO_DECLARE(name) __typeof__(name) *name;
#define ALCEDO_FIND(name) if (!(table.name = (__typeof__(name) *)dlsym(library, #name))) return 0;
// Defines a function that calls `load` once, and returns whether that found the library and its functions.
#define ALCEDO_LOAD_ONCE(name)                                                                                         \
    static int is_loaded;                                                                                              \
    static void load_once(void) { is_loaded = load(); }                                                                \
    int name(void) {                                                                                                   \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                                                \
        pthread_once(&once, load_once);                                                                                \
        return is_loaded;                                                                                              \
    }
#define ALCEDO_TEXT(number) ALCEDO_TEXT_OF(number)
#define ALCEDO_TEXT_OF(number) #number

#endif
