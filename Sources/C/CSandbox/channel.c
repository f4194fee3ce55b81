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

int sandbox_send_request(int socket, const void *message, size_t count, const void *file, size_t file_count,
                         const int descriptors[2]) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec parts[] = {{(void *)message, count}, {(void *)file, file_count}};
    struct msghdr envelope = {.msg_iov = parts, .msg_iovlen = 2};
    int kept[2], total = 0;
    for (int index = 0; index < 2; index++)
        if (descriptors[index] >= 0) kept[total++] = descriptors[index];
    if (total) {
        size_t bytes = total * sizeof(int);
        envelope.msg_control = &control;
        envelope.msg_controllen = CMSG_SPACE(bytes);
        control.header =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), kept, bytes);
    }
    return send_message(socket, &envelope, count + file_count);
}

int sandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
    return sandbox_send_request(socket, bytes, count, NULL, 0, (int[]){descriptor, -1});
}

static int wait_for_message(int socket, int timeout_ms) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    int ready;
    do ready = poll(&wait, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready;
}

// Takes the descriptors of a message. Returns 0, or -1 if there are more, which are closed.
static int take_descriptors(struct msghdr *message, int *descriptors, int most) {
    int total = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
            if (total++ < most) descriptors[total - 1] = descriptor;
            else close(descriptor);
        }
    }
    return total > most ? -1 : 0;
}

long sandbox_receive(int socket, void *bytes, size_t capacity, int *descriptors, int most, int timeout_ms) {
    // Room for as many descriptors as a message can carry (SCM_MAX_FD); descriptors without room would be lost.
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(253 * sizeof(int))];
    } control;
    struct iovec part = {bytes, capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    for (int index = 0; index < most; index++) descriptors[index] = -1;
    int ready = wait_for_message(socket, timeout_ms);
    if (ready <= 0) return ready == 0 ? -2 : -1;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    // If the other end was closed before it read our messages, this error comes once, before the messages sent to us.
    if (count < 0 && errno == ECONNRESET) count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0) return errno == ECONNRESET ? 0 : -1;
    int are_too_many = take_descriptors(&message, descriptors, most);
    if (!are_too_many && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return count;
    for (int index = 0; index < most; index++) {
        if (descriptors[index] >= 0) close(descriptors[index]);
        descriptors[index] = -1;
    }
    return -3;
}

int sandbox_is_readable(int socket) { return wait_for_message(socket, 0) != 0; }

int sandbox_memfd(void) { return memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int sandbox_seal(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, every_seal); }

__attribute__((weak)) int hostile_attempt(int number);

int sandbox_attempt(int number) { return hostile_attempt ? hostile_attempt(number) : -1; }

void sandbox_begin_request(int processor_seconds) {
    struct rusage usage;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &usage) || getrlimit(RLIMIT_CPU, &limit)) return;
    rlim_t used = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1);
    limit.rlim_cur = used + (rlim_t)processor_seconds;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}
