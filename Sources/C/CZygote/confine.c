#define _GNU_SOURCE
#include "CSandbox.h"
#include "CZygote.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The folders and files that libraries and fonts are loaded from. ImageMagick's configuration in /etc is not among
// them: its limits for servers refuse pictures of 32 megapixels, and CVips sets the policy.
static const char *const readable[] = {
    "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/var/cache/fontconfig",
    "/dev/null", "/dev/urandom", "/sys/devices/system/cpu", "/nix/store", NULL,
};

// The rights of version 1 of Landlock's interface; rights of later versions are those over files that cannot be opened.
enum { file_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE };
static const __u64 every_right = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

static int rules = -1;
static scmp_filter_ctx filter;

static void allow_reading(int rules, const char *path) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, .parent_fd = file};
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0)) {
        // READ_DIR does not apply to a file.
        rule.allowed_access &= file_rights;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(file);
}

// Landlock's rules, which `landlock_restrict_self` applies; -1 if the kernel has no Landlock.
static int make_rules(void) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = every_right};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (rules < 0) return -1;
    for (const char *const *path = readable; *path; path++) allow_reading(rules, *path);
    // Where the linked libraries are: for the .tar.xz, beside the program.
    Dl_info info;
    char library[PATH_MAX];
    if (dladdr((void *)seccomp_init, &info) && info.dli_fname && realpath(info.dli_fname, library))
        allow_reading(rules, dirname(library));
    return rules;
}

// System calls that decoders and the libraries they load need, and that reach nothing outside of the process.
static const int allowed[] = {
    SCMP_SYS(access), SCMP_SYS(arch_prctl), SCMP_SYS(brk), SCMP_SYS(clock_getres), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_wait), SCMP_SYS(eventfd2), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(fadvise64), SCMP_SYS(fstat), SCMP_SYS(fstatfs),
    SCMP_SYS(futex), SCMP_SYS(get_mempolicy), SCMP_SYS(getcwd), SCMP_SYS(getdents64),
    SCMP_SYS(getegid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getrandom),
    SCMP_SYS(getrusage), SCMP_SYS(gettid), SCMP_SYS(gettimeofday), SCMP_SYS(getuid), SCMP_SYS(lseek), SCMP_SYS(lstat),
    SCMP_SYS(madvise), SCMP_SYS(membarrier), SCMP_SYS(mmap), SCMP_SYS(mprotect),
    SCMP_SYS(mremap), SCMP_SYS(munmap), SCMP_SYS(nanosleep), SCMP_SYS(newfstatat), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(pread64), SCMP_SYS(pwrite64), SCMP_SYS(read), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(readv),
    SCMP_SYS(recvmsg), SCMP_SYS(restart_syscall), SCMP_SYS(rseq), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_yield), SCMP_SYS(sendmsg), SCMP_SYS(set_mempolicy), SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address), SCMP_SYS(sigaltstack), SCMP_SYS(stat), SCMP_SYS(statfs), SCMP_SYS(statx),
    SCMP_SYS(sysinfo), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(times), SCMP_SYS(uname),
    SCMP_SYS(write), SCMP_SYS(writev),
};

// O_TMPFILE without the bit of O_DIRECTORY.
enum { writing_flags = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY) };

// The commands of fcntl(2) that neither lock files nor send signals.
static const scmp_datum_t commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS,
};

// Calls that are allowed with some arguments only. All others return EPERM, and `clone3` ENOSYS, so that the C library
// uses `clone`, whose flags a filter can read.
static int add_conditions(scmp_filter_ctx filter) {
    int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, writing_flags, 0));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, writing_flags, 0));
    // libdispatch logs a failure, so this call succeeds without effect.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(setpriority), 0);
    // New threads, but no new processes.
    failed |= seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // Reading limits, and setting the one of processor time.
    failed |= seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
    failed |= seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    for (size_t index = 0; index < sizeof commands / sizeof *commands; index++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, commands[index]));
    return failed;
}

static scmp_filter_ctx make_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return NULL;
    int failed = 0;
    // A system call that this architecture does not have cannot be added, and need not be.
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++)
        if (allowed[index] >= 0) failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0);
    failed |= add_conditions(filter);
    if (!failed) return filter;
    seccomp_release(filter);
    return NULL;
}

int zygote_prepare(void) {
    rules = make_rules();
    filter = make_filter();
    return rules;
}

int zygote_confine(void) {
    int status = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? 0 : sandbox_no_new_privs;
    prctl(PR_SET_DUMPABLE, 0);
    if (rules >= 0 && !syscall(SYS_landlock_restrict_self, rules, 0)) status |= sandbox_landlock;
    if (rules >= 0) close(rules);
    if (filter && !seccomp_load(filter)) status |= sandbox_seccomp;
    return status;
}
