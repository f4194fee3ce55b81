#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { restore_limit = 256, patience_seconds = 2, alternate_stack_size = 64 * 1024 };

// Signals that end the process at once. Those after SIGSYS are left alone if the process already ignores or handles
// them.
static const int fatal[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGTRAP, SIGABRT, SIGFPE,  SIGSYS,
                            SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM};
static const int noticed[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
enum {
    crash_count = 7,
    fatal_count = sizeof fatal / sizeof *fatal,
    noticed_count = sizeof noticed / sizeof *noticed
};

static volatile sig_atomic_t armed;
static volatile sig_atomic_t deadly; // the first INT, TERM or HUP received
static volatile sig_atomic_t hung_up;
static volatile sig_atomic_t dying; // the terminal's descriptor leads nowhere, and a signal ends the process
static int terminal_descriptor = -1;
static int notify_descriptor = -1;
static struct termios original_modes;
static char restore_bytes[restore_limit];
static size_t restore_length;
static struct sigaction fatal_before[fatal_count];
static struct sigaction noticed_before[noticed_count];
static stack_t stack_before;
static void *alternate_stack;

// Moves the terminal to a new descriptor. The old one leads to /dev/null from then on, so that other threads cannot
// write the rest of a picture after the restoration.
static int take_terminal(void) {
    int own = dup(terminal_descriptor);
    if (own < 0) return terminal_descriptor;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, terminal_descriptor);
    return own;
}

// If the terminal accepts no more bytes, its pending output is discarded to make room for the few restoring bytes.
static void restore_terminal(void) {
    if (!armed) return;
    armed = 0;
    dying = 1;
    int terminal = take_terminal();
    ssize_t written = write(terminal, restore_bytes, restore_length);
    if (written < (ssize_t)restore_length) {
        tcflush(terminal, TCOFLUSH);
        written = write(terminal, restore_bytes, restore_length);
    }
    tcsetattr(terminal, TCSANOW, &original_modes);
}

static void die(int number) {
    restore_terminal();
    signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + number);
}

static void end_process(int number) { die(number == SIGALRM && deadly ? deadly : number); }

static void begin_end(int number) {
    deadly = number;
    alarm(patience_seconds);
}

static void notice(int number) {
    int saved = errno;
    if (number == SIGHUP) hung_up = 1;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
        // A closing window sends several HUPs: from the system, from the shell, and when the shell ends.
        if (deadly && number != SIGHUP) die(number);
        if (!deadly) begin_end(number);
    }
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(notify_descriptor, &byte, 1);
    (void)written;
    errno = saved;
}

static void install(int number, void (*handler)(int), int flags, struct sigaction *before) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    sigaction(number, &action, before);
}

// The alternate stack serves the thread that arms the guard; a stack overflow in another thread is not handled.
static void install_alternate_stack(void) {
    alternate_stack = malloc(alternate_stack_size);
    if (!alternate_stack) return;
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = alternate_stack_size};
    if (sigaltstack(&stack, &stack_before) != 0) {
        free(alternate_stack);
        alternate_stack = NULL;
    }
}

static void install_handlers(void) {
    for (int index = 0; index < fatal_count; index++) {
        sigaction(fatal[index], NULL, &fatal_before[index]);
        if (index >= crash_count && fatal_before[index].sa_handler != SIG_DFL) continue;
        install(fatal[index], end_process, SA_ONSTACK, NULL);
    }
    for (int index = 0; index < noticed_count; index++) {
        sigaction(noticed[index], NULL, &noticed_before[index]);
        // nohup and background jobs of old shells ignore some of these on purpose.
        if (noticed[index] != SIGCONT && noticed_before[index].sa_handler == SIG_IGN) continue;
        install(noticed[index], notice, SA_ONSTACK | SA_RESTART, NULL);
    }
}

int alcedo_guard_arm(int terminal, const void *original, const void *restore, size_t length, int notify) {
    if (armed || length > restore_limit) return -1;
    terminal_descriptor = terminal;
    notify_descriptor = notify;
    memcpy(&original_modes, original, sizeof original_modes);
    if (length) memcpy(restore_bytes, restore, length);
    restore_length = length;
    deadly = hung_up = 0;
    install_alternate_stack();
    install_handlers();
    armed = 1;
    return 0;
}

void alcedo_guard_disarm(void) {
    if (!armed) return;
    armed = 0;
    // These handlers go first, because they may still set the alarm that is cancelled below.
    for (int index = 0; index < noticed_count; index++) {
        if (noticed[index] == SIGHUP && hung_up) signal(SIGHUP, SIG_IGN);
        else sigaction(noticed[index], &noticed_before[index], NULL);
    }
    if (deadly) alarm(0);
    for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &fatal_before[index], NULL);
    if (!alternate_stack) return;
    if (stack_before.ss_sp == NULL) stack_before.ss_flags = SS_DISABLE;
    sigaltstack(&stack_before, NULL);
    free(alternate_stack);
    alternate_stack = NULL;
}

int alcedo_guard_hang_up(void) {
    // The thread that ends the process has replaced the terminal by /dev/null, so reading fails although it is not
    // gone.
    if (dying) return 0;
    if (!armed) return 1;
    hung_up = 1;
    if (!deadly) begin_end(SIGHUP);
    return 1;
}

// The signal goes to the whole group first, while this process ignores it. Then this thread stops itself, so that the
// call returns only after the stop. If every thread blocks the signal (as threads of dispatch queues do), even an
// ignored signal stays pending and would stop the process a second time. Ignoring it again discards it.
void alcedo_guard_stop(void) {
    struct sigaction before;
    sigset_t stop, mask;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    install(SIGTSTP, SIG_IGN, 0, &before);
    kill(0, SIGTSTP);
    install(SIGTSTP, SIG_IGN, 0, NULL);
    install(SIGTSTP, SIG_DFL, 0, NULL);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
}
