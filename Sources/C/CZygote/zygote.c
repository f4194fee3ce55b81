#define _GNU_SOURCE
#include "CSandbox.h"
#include "CZygote.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { helper_limit = 64, own_socket = 3 };
// What a helper may have: descriptors, threads, and seconds of processor time for all of its requests together.
enum { descriptor_limit = 32, thread_limit = 256, lifetime_seconds = 10000, nobody = 65534 };

// A running helper: its pidfd (pidfd_open(2)) and a copy of its end of the socket.
typedef struct {
    pid_t process;
    int pidfd;
    int socket;
} helper;

static helper helpers[helper_limit];
static int helper_count;
// The highest descriptor that a helper inherits: the socket, or the prepared rules after it.
static int highest_kept = own_socket;

// Keeps the socket as descriptor 3 and those below `first_closed`; standard input and output become /dev/null.
static void keep_only(int socket, unsigned first_closed) {
    if (socket != own_socket) dup2(socket, own_socket);
    // Linux before 5.9 has no close_range(2).
    if (syscall(SYS_close_range, first_closed, ~0U, 0))
        for (int other = (int)first_closed; other < 4096; other++) close(other);
    int nowhere = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < own_socket; standard++)
        if (nowhere >= 0) dup2(nowhere, standard);
        else close(standard);
    if (nowhere > own_socket) close(nowhere);
}

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Lowers a limit for good; a lower one that the user has set stays. Returns whether the limit holds.
static int limit(int resource, rlim_t most) {
    struct rlimit limits;
    if (getrlimit(resource, &limits)) return 0;
    if (limits.rlim_max > most) limits.rlim_max = most;
    if (limits.rlim_cur > limits.rlim_max) limits.rlim_cur = limits.rlim_max;
    return !setrlimit(resource, &limits);
}

static int set_limits(sandbox_spawn_request request) {
    return limit(RLIMIT_CORE, 0) & limit(RLIMIT_MEMLOCK, 0) & limit(RLIMIT_AS, request.memory)
        & limit(RLIMIT_NOFILE, descriptor_limit) & limit(RLIMIT_FSIZE, request.reply)
        & limit(RLIMIT_CPU, lifetime_seconds);
}

static int write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = write(file, text, strlen(text));
    close(file);
    return count == (ssize_t)strlen(text) ? 0 : -1;
}

// Gives up the rights of a namespace's creator. Returns whether that worked.
static int drop_rights(void) {
    struct __user_cap_header_struct version = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {0};
    return !syscall(SYS_capset, &version, rights);
}

// Gives up the rights of root, and makes the user one of a new namespace, in which its threads are counted and limited.
// Otherwise the limit would count all processes of the user, and would not apply to root. Returns whether that worked.
static int become_own_user(void) {
    unsigned user = geteuid(), group = getegid();
    if (user == 0) {
        user = group = nobody;
        if (setgroups(0, NULL) || setresgid(group, group, group) || setresuid(user, user, user)) return 0;
        // Another user may not write to /proc/self otherwise.
        prctl(PR_SET_DUMPABLE, 1);
    }
    if (unshare(CLONE_NEWUSER)) return 0;
    char map[64];
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", user, user);
    write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", group, group);
    write_text("/proc/self/gid_map", map);
    return drop_rights() && limit(RLIMIT_NPROC, thread_limit);
}

static void run_helper(int socket, sandbox_spawn_request request) {
    prctl(PR_SET_NAME, "alcedo-decoder");
    keep_only(socket, highest_kept + 1);
    // When memory is short, the kernel ends a helper before the program.
    write_text("/proc/self/oom_score_adj", "800");
    int status = become_own_user() ? sandbox_own_user : 0;
    // A change of the user clears it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (set_limits(request)) status |= sandbox_limits;
    status |= zygote_confine();
    // The filter of system calls forbids sockets. Without the filter, a network namespace does, which takes 0.4 ms.
    if (!(status & sandbox_seccomp) && !unshare(CLONE_NEWUSER | CLONE_NEWNET)) drop_rights();
    if (request.is_required && (status & sandbox_all) != sandbox_all) _exit(sandbox_all);
    // The memory of one picture serves the next one, instead of going back to the kernel.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    alcedo_helper_main(own_socket, status);
    _exit(0);
}

// Tells the program how the helper ended; the socket's other end may be closed.
static void report_ending(int socket, int wait_status, const struct rusage *usage) {
    sandbox_ending ending = {.magic = sandbox_ending_magic, .wait_status = wait_status};
    if (usage) ending.memory_kib = usage->ru_maxrss;
    // A hostile helper may have filled the socket: the zygote must not wait for room.
    if (send(socket, &ending, sizeof ending, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) errno = 0;
    close(socket);
}

static int is_prepared;

static void prepare(void) {
    if (is_prepared) return;
    is_prepared = 1;
    int rules = zygote_prepare();
    if (rules > own_socket) highest_kept = rules;
}

static void spawn(int socket, sandbox_spawn_request request) {
    pid_t process = helper_count < helper_limit ? fork() : -1;
    if (process == 0) run_helper(socket, request);
    int pidfd = process > 0 ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
    if (pidfd >= 0) {
        helpers[helper_count++] = (helper){process, pidfd, socket};
        return;
    }
    if (process > 0) {
        kill(process, SIGKILL);
        waitpid(process, NULL, 0);
    }
    report_ending(socket, -1, NULL);
}

static void reap(int index) {
    struct rusage usage;
    int wait_status = 0;
    if (wait4(helpers[index].process, &wait_status, 0, &usage) < 0) return;
    report_ending(helpers[index].socket, wait_status, &usage);
    close(helpers[index].pidfd);
    helpers[index] = helpers[--helper_count];
}

// Forks helpers on request, kills those whose socket the program has closed, and reports those that ended.
static void serve(void) {
    for (;;) {
        struct pollfd polls[1 + 2 * helper_limit] = {{.fd = own_socket, .events = POLLIN}};
        int count = helper_count;
        for (int index = 0; index < count; index++) {
            polls[1 + 2 * index] = (struct pollfd){.fd = helpers[index].pidfd, .events = POLLIN};
            polls[2 + 2 * index] = (struct pollfd){.fd = helpers[index].socket};
        }
        if (poll(polls, 1 + 2 * count, -1) < 0) continue;
        // From the last to the first, as the last helper moves to the place of one that has ended.
        for (int index = count - 1; index >= 0; index--) {
            if (polls[2 + 2 * index].revents & (POLLHUP | POLLERR)) kill(helpers[index].process, SIGKILL);
            if ((polls[1 + 2 * index].revents & POLLIN) || (polls[2 + 2 * index].revents & (POLLHUP | POLLERR)))
                reap(index);
        }
        if (!polls[0].revents) continue;
        sandbox_spawn_request request;
        int socket;
        // Prepares first: its descriptors must be lower than those of the sockets, because helpers do not keep the
        // latter.
        prepare();
        long received = sandbox_receive(own_socket, &request, sizeof request, &socket, 1, -1);
        if (received <= 0) _exit(0);
        if (received == sizeof request && socket >= 0) spawn(socket, request);
        else if (socket >= 0) close(socket);
    }
}

typedef void (*constructor)(int, char **, char **);
extern const constructor __init_array_start[], __init_array_end[];

static void start_zygote(int argc, char **argv, char **environment);

// Runs the constructors that would follow this one, because the zygote never returns to the loader; they prepare
// libraries.
static void run_other_constructors(int argc, char **argv, char **environment) {
    int is_after = 0;
    for (const constructor *next = __init_array_start; next < __init_array_end; next++) {
        if (is_after) (*next)(argc, argv, environment);
        if (*next == start_zygote) is_after = 1;
    }
}

// Overwrites strings, which may have secrets: a helper must not find them in its memory.
static void wipe(char **strings) {
    for (; *strings; strings++) explicit_bzero(*strings, strlen(*strings));
}

__attribute__((constructor)) static void start_zygote(int argc, char **argv, char **environment) {
    int pair[2], spare[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, spare)) spare[0] = spare[1] = -1;
    pid_t process = fork();
    if (process == 0) {
        setsid();
        run_other_constructors(argc, argv, environment);
        reset_signals();
        prctl(PR_SET_NAME, "alcedo-zygote");
        wipe(environment);
        if (argc > 0) wipe(argv + 1);
        clearenv();
        setenv("HOME", "/nonexistent", 1);
        // libvips writes pictures of more than 100 MiB to a file in /tmp otherwise, which a helper may not do.
        setenv("VIPS_DISC_THRESHOLD", "1000g", 1);
        // The standby prepares itself only when it is needed.
        int is_standby = spare[1] >= 0 && fork() == 0;
        keep_only(is_standby ? spare[1] : pair[1], own_socket + 1);
        if (!is_standby) prepare();
        serve();
    }
    close(pair[1]);
    if (spare[1] >= 0) close(spare[1]);
    if (process > 0) {
        sandbox_zygote = pair[0];
        sandbox_standby = spare[0];
        return;
    }
    close(pair[0]);
    if (spare[0] >= 0) close(spare[0]);
}
