// Restores the terminal when the process dies, with async-signal-safe C only. Also reads the Linux console's font.
#ifndef ALCEDO_TERMINAL_GUARD_H
#define ALCEDO_TERMINAL_GUARD_H
#include <stddef.h>

// Remembers how to restore the terminal, and installs handlers that do it when the process dies of a signal.
// `terminal` must be open for writing and non-blocking; `original` is its `struct termios`, `restore` what to write;
// both are copied, `restore` up to 256 bytes.
// `notify` is the write end of a pipe, non-blocking; it receives one byte, the signal's number, for INT, TERM, HUP,
// TSTP, CONT and WINCH.
// The first INT, TERM or HUP only notifies; an INT or TERM after it, or two seconds without `alcedo_guard_disarm`, ends
// the process.
// Returns 0, or -1 when `restore` is too long or a guard is armed already.
int alcedo_guard_arm(int terminal, const void *original, const void *restore, size_t length, int notify);

// Reports that the terminal is gone. This has the effect of a HUP, which the system may send as well.
// Returns 0 while another thread ends the process because of a signal and has taken the terminal; then do nothing.
int alcedo_guard_hang_up(void);

// Restores every signal action that `alcedo_guard_arm` changed; does nothing if no guard is armed.
// After a HUP, further HUPs are ignored, so that they do not interrupt the end of the process.
void alcedo_guard_disarm(void);

// Stops the whole process group as control-Z does; returns when continued, or at once in an orphaned group.
// Call it with the guard disarmed.
void alcedo_guard_stop(void);

enum { alcedo_console_font_limit = 65535 };

// Writes the characters that the console's font has, at most `alcedo_console_font_limit`; returns their number, -1
// where `terminal` is not the Linux console.
int alcedo_console_font(int terminal, unsigned short *characters);
#endif
