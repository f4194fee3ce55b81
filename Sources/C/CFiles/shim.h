// Calls that the C library shows only to programs in GNU's dialect; extended attributes.
#ifndef ALCEDO_CFILES_H
#define ALCEDO_CFILES_H
#include <fcntl.h>
#include <linux/fs.h>
#include <spawn.h>
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

// A pipe that programs started meanwhile do not inherit.
static inline int alcedo_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// Closes all files of a new program but its three standard ones.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int alcedo_close_others(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// Makes a file share the bytes of another one.
static inline int alcedo_clone(int copy, int source) { return ioctl(copy, FICLONE, source); }
#endif
