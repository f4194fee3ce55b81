#define _GNU_SOURCE
#include "CHostileDecoder.h"
#include "CSandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { helper_socket = 3 };

// Never returns; pause(2) is not allowed.
static void halt(void) {
    for (;;) poll(NULL, 0, -1);
}

static int result(long value) { return value < 0 ? errno : 0; }

static int connect_to(int domain, const void *address, socklen_t count) {
    int descriptor = socket(domain, SOCK_STREAM, 0);
    if (descriptor < 0) return errno;
    return result(connect(descriptor, address, count));
}

static int connect_internet(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect_to(AF_INET, &address, sizeof address);
}

static int connect_unix(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
    return connect_to(AF_UNIX, &address, sizeof address);
}

static int execute(void) {
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

// Returns whether a descriptor is one of memory, or -1 if it is closed.
static int is_memory(int descriptor) {
    char path[64], target[256];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    long count = readlink(path, target, sizeof target - 1);
    if (count < 0) return -1;
    target[count] = 0;
    return strstr(target, "memfd") != NULL;
}

static int open_descriptors(void) {
    // Everything but the standard streams, which are /dev/null, and the socket should be closed.
    for (int descriptor = helper_socket + 1; descriptor < 64; descriptor++)
        if (is_memory(descriptor) == 0) return 0;
    return EBADF;
}

// The memory that the program sent for the reply.
static int reply_memory(void) {
    int descriptor = helper_socket + 1;
    while (is_memory(descriptor) != 1 && descriptor < 64) descriptor++;
    return descriptor;
}

static void *sleep_forever(void *nothing) {
    halt();
    return nothing;
}

static int start_threads(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    for (int count = 0; count < 20000; count++) {
        pthread_t thread;
        int failed = pthread_create(&thread, &attributes, sleep_forever, NULL);
        if (failed) return failed;
    }
    return 0;
}

static void write_reply_without_end(void) {
    static char block[65536];
    int memory = reply_memory();
    while (write(memory, block, sizeof block) > 0) continue;
    halt();
}

static int allocate(void) {
    size_t count = 4UL << 30;
    char *bytes = malloc(count);
    if (!bytes) return errno;
    memset(bytes, 1, count);
    free(bytes);
    return 0;
}

static int raise_memory_limit(void) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return result(setrlimit(RLIMIT_AS, &none));
}

// Sends the reply of a decoded picture, which HelperReply reads, without the right pixels.
static void reply_with(int64_t width, int64_t height, size_t bytes, int is_mapped) {
    // The header has neither colours nor a profile, and there are neither an animation nor damage.
    int64_t message[] = {1, width, height, 1, width, height, 1, 0, 0, 0, 0, 0, 0};
    static const char pixels[4096];
    int memory = reply_memory();
    if (write(memory, pixels, bytes) != (ssize_t)bytes) return;
    if (is_mapped && mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) == MAP_FAILED) return;
    sandbox_send(helper_socket, message, sizeof message, -1);
    halt();
}

static void reply_with_escape_codes(void) {
    static const char text[] = "\x1b]0;owned\x07\x1b[2J\r\n\x9b" "31m\xe2\x80\xae";
    struct {
        int64_t kind, code, name_count;
        char name[4];
        int64_t count;
        char text[sizeof text - 1];
        int64_t damage, reason_count;
    } __attribute__((packed)) message = {2, 0, 4, "JPEG", sizeof text - 1, "", 0, 0};
    memcpy(message.text, text, sizeof text - 1);
    sandbox_send(helper_socket, &message, sizeof message, -1);
    halt();
}

// Sends the reply of a picture of one pixel, with its pixel if it comes with descriptors, which nobody asks for.
static void reply_with_descriptors(int count) {
    int64_t message[] = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(253 * sizeof(int))];
    } control = {0};
    struct iovec part = {message, sizeof message};
    struct msghdr envelope = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
    envelope.msg_controllen = count ? CMSG_SPACE(count * sizeof(int)) : 0;
    if (count) {
        int memory = reply_memory();
        if (write(memory, "abcd", 4) != 4) return;
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        for (int index = 0; index < count; index++)
            memcpy(CMSG_DATA(&control.header) + index * sizeof memory, &memory, sizeof memory);
    }
    sendmsg(helper_socket, &envelope, 0);
    halt();
}

static void reply_with_long_message(void) {
    static char message[100000] = {2};
    sandbox_send(helper_socket, message, sizeof message, -1);
    halt();
}

// Looks for the program's environment, which lies above its arguments, below the name of its file.
static int find_environment(void) {
    const char *end = (const char *)getauxval(AT_EXECFN);
    if (!end) return ENOSYS;
    for (const char *place = end - 6; place > end - 32768; place--)
        if (!memcmp(place, "PATH=/", 6)) return 0;
    return ENOENT;
}

int hostile_attempt(int number) {
    volatile int *nowhere = NULL;
    switch (number) {
    case hostile_read_file: return result(open("/etc/passwd", O_RDONLY));
    case hostile_list_home: return result(open("/root", O_RDONLY | O_DIRECTORY));
    case hostile_write_file: return result(open("/tmp/alcedo-hostile", O_WRONLY | O_CREAT, 0600));
    case hostile_append_file: return result(open("/dev/null", O_WRONLY | O_APPEND));
    case hostile_remove_file: return result(unlink("/tmp/alcedo-hostile"));
    case hostile_connect: return connect_internet();
    case hostile_connect_unix: return connect_unix();
    case hostile_execute: return execute();
    case hostile_fork: return result(fork());
    case hostile_trace_parent: return result(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
    case hostile_kill_parent: return result(kill(getppid(), SIGKILL));
    case hostile_raise_memory_limit: return raise_memory_limit();
    case hostile_open_descriptors: return open_descriptors();
    case hostile_load_program_memory: return result(open("/proc/self/mem", O_RDWR));
    case hostile_allocate: return allocate();
    case hostile_loop: for (;;) { }
    case hostile_crash: return *nowhere;
    case hostile_sleep: halt(); break;
    case hostile_wrong_size: reply_with(100, 100, 4, 0); break;
    case hostile_mapped_memory: reply_with(1, 1, 4, 1); break;
    case hostile_huge_size: reply_with(0x7fffffff, 0x7fffffff, 4, 0); break;
    case hostile_one_descriptor: reply_with_descriptors(1); break;
    case hostile_threads: return start_threads();
    case hostile_create_memory: return result(sandbox_memfd());
    case hostile_endless_reply: write_reply_without_end(); break;
    case hostile_two_replies: {
        // The second one would be taken for the answer about the next file.
        static const int64_t failure[] = {2, 0, 0, 0, 0, 0};
        sandbox_send(helper_socket, failure, sizeof failure, -1);
        return 0;
    }
    case hostile_become_root: return result(setuid(0));
    case hostile_escape_codes: reply_with_escape_codes(); break;
    case hostile_garbage: sandbox_send(helper_socket, "garbage", 7, -1); halt(); break;
    case hostile_exit: _exit(7);
    case hostile_two_descriptors: reply_with_descriptors(2); break;
    case hostile_many_descriptors: reply_with_descriptors(253); break;
    case hostile_no_descriptor: reply_with_descriptors(0); break;
    case hostile_long_message: reply_with_long_message(); break;
    case hostile_find_environment: return find_environment();
    }
    return -1;
}
