#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int sandbox_zygote = -1;
int sandbox_standby = -1;

int sandbox_has_zygote(void) { return sandbox_zygote >= 0; }

enum { every_seal = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

int sandbox_spawn(sandbox_spawn_request request) {
    int pair[2];
    if (sandbox_zygote < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
    int zygote = __atomic_load_n(&sandbox_zygote, __ATOMIC_ACQUIRE);
    int failed = sandbox_send(zygote, &request, sizeof request, pair[1]);
    if (failed) {
        // The zygote has ended: its standby takes over. Another thread may have seen that first.
        int standby = __atomic_exchange_n(&sandbox_standby, -1, __ATOMIC_ACQ_REL);
        if (standby >= 0) __atomic_store_n(&sandbox_zygote, standby, __ATOMIC_RELEASE);
        int other = __atomic_load_n(&sandbox_zygote, __ATOMIC_ACQUIRE);
        if (other != zygote) failed = sandbox_send(other, &request, sizeof request, pair[1]);
    }
    close(pair[1]);
    if (!failed) return pair[0];
    close(pair[0]);
    return -1;
}

static int send_message(int socket, const struct msghdr *message, size_t count) {
    ssize_t sent;
    do sent = sendmsg(socket, message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count ? 0 : -1;
}

int sandbox_send_two(int socket, const void *first, size_t first_count, const void *second, size_t second_count) {
    struct iovec parts[] = {{(void *)first, first_count}, {(void *)second, second_count}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return send_message(socket, &message, first_count + second_count);
}

int sandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return send_message(socket, &message, count);
}

static int wait_for_message(int socket, int timeout_ms) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    int ready;
    do ready = poll(&wait, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready;
}

// Takes the descriptors of a message: the only one, -1 if there is none. More than one are closed, and -2 is returned.
static int take_descriptor(struct msghdr *message) {
    int taken = -1, total = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
            if (total++ == 0) taken = descriptor;
            else close(descriptor);
        }
    }
    if (total <= 1) return taken;
    close(taken);
    return -2;
}

long sandbox_receive(int socket, void *bytes, size_t capacity, int *descriptor, int timeout_ms) {
    // As many as a message can carry (SCM_MAX_FD): those that find no room would be lost to us.
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(253 * sizeof(int))];
    } control;
    struct iovec part = {bytes, capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor = -1;
    int ready = wait_for_message(socket, timeout_ms);
    if (ready <= 0) return ready == 0 ? -2 : -1;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    // If the sender's end was closed with messages of ours unread, that error comes once, before what was sent to us.
    if (count < 0 && errno == ECONNRESET) count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0) return errno == ECONNRESET ? 0 : -1;
    *descriptor = take_descriptor(&message);
    if (*descriptor != -2 && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return count;
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    return -3;
}

int sandbox_memfd(void) { return memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int sandbox_seal(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, every_seal); }

int sandbox_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals >= 0 && (seals & every_seal) == every_seal;
}

__attribute__((weak)) int hostile_attempt(int number);

int sandbox_attempt(int number) { return hostile_attempt ? hostile_attempt(number) : -1; }

void sandbox_begin_request(int processor_seconds) {
    struct rusage usage;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &usage) || getrlimit(RLIMIT_CPU, &limit)) return;
    rlim_t used = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1);
    limit.rlim_cur = used + (rlim_t)processor_seconds;
    setrlimit(RLIMIT_CPU, &limit);
}
