// Calls that the C library shows only to programs in GNU's dialect; extended attributes.
#ifndef ALCEDO_CFILES_H
#define ALCEDO_CFILES_H
#include <linux/fs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// -100 is AT_FDCWD, 1 is RENAME_NOREPLACE (linux/fs.h).
static inline int alcedo_rename(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, -100, from, -100, to, 1);
}

// Puts what was written to a file system on the disk.
static inline int alcedo_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

// A pipe that programs started meanwhile do not inherit; the number is O_CLOEXEC.
static inline int alcedo_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, 02000000); }

// Closes all files of a new program but its three standard ones.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
static inline int alcedo_close_others(void *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// Makes a file share the bytes of another one. With <sys/ioctl.h>, Swift would find its types here only.
extern int ioctl(int descriptor, unsigned long request, ...);
static inline int alcedo_clone(int copy, int source) { return ioctl(copy, FICLONE, source); }
#endif
