#include "frames.h"

int alcedo_frames_available(int kind) {
    switch (kind) {
    case alcedo_frames_avif: return alcedo_avif_load();
    case alcedo_frames_jxl: return alcedo_jxl_load();
    case alcedo_frames_tiff: return alcedo_tiff_load();
    case alcedo_frames_raw: return alcedo_raw_load();
    default: return alcedo_video_load();
    }
}

alcedo_frames *alcedo_frames_open(int kind, const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info,
                                  int *reason) {
    *info = (alcedo_frames_info){.count = 1, .orientation = 1, .pages = 1, .page = info->page};
    *reason = alcedo_frames_missing_library;
    if (!alcedo_frames_available(kind)) return NULL;
    *reason = alcedo_frames_damaged;
    switch (kind) {
    case alcedo_frames_avif: return alcedo_avif_open(bytes, count, pixels, info, reason);
    case alcedo_frames_jxl: return alcedo_jxl_open(bytes, count, pixels, info, reason);
    case alcedo_frames_tiff: return alcedo_tiff_open(bytes, count, pixels, info, reason);
    case alcedo_frames_raw: return alcedo_raw_open(bytes, count, info, reason);
    default: return alcedo_video_open(bytes, count, pixels, info, reason);
    }
}

int32_t alcedo_frames_delay(alcedo_frames *frames, int32_t index) { return frames->delay(frames, index); }

int alcedo_frames_read(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    return frames->read(frames, index, pixels);
}

void alcedo_frames_close(alcedo_frames *frames) { frames->close(frames); }
