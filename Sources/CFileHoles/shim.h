// Gives a part of a file back to the file system; glibc declares fallocate(2) to GNU sources only.
#ifndef ALCEDO_CFILEHOLES_H
#define ALCEDO_CFILEHOLES_H
extern int fallocate(int descriptor, int mode, long offset, long length);

// FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of <linux/falloc.h>.
static inline int alcedo_punch_hole(int descriptor, long offset, long length) {
    return fallocate(descriptor, 0x03, offset, length);
}
#endif
