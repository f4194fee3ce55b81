// Helper processes without rights, which decode untrusted pictures, and the messages between them and the program.
//
// The zygote (the target CZygote) is a process that is forked before the program has threads; it forks the helpers. A
// program that does not link CZygote has no helpers.
#ifndef ALCEDO_CSANDBOX_H
#define ALCEDO_CSANDBOX_H
#include <stddef.h>
#include <stdint.h>

// The protections of a helper, as bits of the helper's status.
enum {
    sandbox_no_new_privs = 1,
    sandbox_landlock = 2,
    sandbox_seccomp = 4,
    sandbox_limits = 8,
    sandbox_all = 15,
    sandbox_own_user = 16  // not one of `sandbox_all`: many kernels and containers forbid it
};

// What the zygote needs to know to fork a helper.
typedef struct {
    uint64_t memory;       // the limit of address space in bytes
    uint64_t reply;        // the limit of a file's size in bytes: of the memory that a reply is written to
    uint64_t is_required;  // whether the helper ends if a protection is missing
} sandbox_spawn_request;

// The zygote's last message on a helper's socket, after the helper has ended.
typedef struct {
    int64_t magic;
    int64_t wait_status;       // as of wait4(2); -1 if the helper could not be forked
    int64_t memory_kib;        // the largest resident set
} sandbox_ending;
enum { sandbox_ending_magic = 0x676e69646e65 };

// The sockets to the zygote and to its standby, which takes over if the zygote ends; CZygote sets them. -1 without one.
extern int sandbox_zygote, sandbox_standby;
int sandbox_has_zygote(void);

// Starts a helper and returns a socket to it, or -1. The helper is killed when the socket is closed.
int sandbox_spawn(sandbox_spawn_request request);

// Sends a message of at most 64 KiB, and a descriptor unless it is -1. Returns 0, or -1.
int sandbox_send(int socket, const void *bytes, size_t count, int descriptor);

// Sends two parts as one message, of at most 128 KiB together, and up to two descriptors; -1 stands for none.
// Returns 0, or -1.
int sandbox_send_request(int socket, const void *message, size_t count, const void *file, size_t file_count,
                         const int descriptors[2]);

// Receives a message with up to `most` descriptors; the rest of `descriptors` becomes -1. Returns the number of bytes;
// 0 at the end of the connection; -1 for a failure; -2 after `timeout_ms` milliseconds, which is endless if negative;
// -3 for a message that is longer than the capacity or has more descriptors, all of which are closed.
long sandbox_receive(int socket, void *bytes, size_t capacity, int *descriptors, int most, int timeout_ms);

// Returns whether a message, or the end of the connection, waits on the socket.
int sandbox_is_readable(int socket);

// Creates anonymous memory that can be sealed, or returns -1. Helpers cannot: they write to what the program sends.
int sandbox_memfd(void);
// Forbids changes of the size and of the contents. Returns 0, or -1 if that fails or another process can write to a
// mapping of it.
int sandbox_seal(int descriptor);

// In a helper: allows this many more seconds of processor time; after them the kernel ends the process.
void sandbox_begin_request(int processor_seconds);

// In a helper of a test program: runs an attempt of the hostile decoder and returns the error number that stopped it,
// or 0. Returns -1 in all other programs, which do not define `hostile_attempt`.
int sandbox_attempt(int number);

// In a helper: answers requests on the socket until it is closed. Defined by the program.
void alcedo_helper_main(int socket, int status);
#endif
