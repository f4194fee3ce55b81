// What glibc declares to GNU sources only.
#ifndef ALCEDO_CFILEHOLES_H
#define ALCEDO_CFILEHOLES_H
extern int fallocate(int descriptor, int mode, long offset, long length);
extern int sync_file_range(int descriptor, long offset, long length, unsigned int flags);

// Gives a part of a file back to the file system.
//
// FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of <linux/falloc.h>.
static inline int alcedo_punch_hole(int descriptor, long offset, long length) {
    return fallocate(descriptor, 0x03, offset, length);
}

// Begins to write what of a file is not on the disk yet, and waits for none of it: SYNC_FILE_RANGE_WRITE.
static inline int alcedo_begin_write_out(int descriptor) {
    return sync_file_range(descriptor, 0, 0, 0x02);
}
#endif
