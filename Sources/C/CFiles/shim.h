// Calls that the C library shows only to programs in GNU's dialect; extended attributes.
#ifndef ALCEDO_CFILES_H
#define ALCEDO_CFILES_H
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// -100 is AT_FDCWD, 1 is RENAME_NOREPLACE (linux/fs.h).
static inline int alcedo_rename(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, -100, from, -100, to, 1);
}

// Puts what was written to a file system on the disk.
static inline int alcedo_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

// Makes a file share the bytes of another one.
static inline int alcedo_clone(int copy, int source) { return ioctl(copy, FICLONE, source); }
#endif
