// Restores the terminal when the process dies: async-signal-safe C only. And asks for the Linux console's font.
#ifndef ALCEDO_TERMINAL_GUARD_H
#define ALCEDO_TERMINAL_GUARD_H
#include <stddef.h>

// Remembers how to give the terminal back and installs handlers that do it when the process dies of a signal.
// `terminal` must be open for writing and non-blocking; `original` is its `struct termios`, `restore` what to write;
// both are copied, `restore` up to 256 bytes.
// `notify` receives one byte, the signal's number, for INT, TERM, HUP, TSTP, CONT and WINCH; write end, non-blocking.
// The first INT, TERM or HUP only notifies; an INT or TERM after it, or two seconds without `alcedo_guard_disarm`, ends
// the process.
// Returns 0, or -1 when `restore` is too long or a guard is armed already.
int alcedo_guard_arm(int terminal, const void *original, const void *restore, size_t length, int notify);

// Tells that the terminal is gone, which the system's HUP may come after: that is the same as a HUP.
// Returns 0 while another thread dies of a signal, which has taken the terminal away: then nothing is to be done.
int alcedo_guard_hang_up(void);

// Puts every signal action back as it was before `alcedo_guard_arm`; does nothing when no guard is armed.
// After a HUP further ones are ignored, so that they do not cut short what the process has left to do.
void alcedo_guard_disarm(void);

// Stops the whole process group as control-Z does; returns when continued, or at once in an orphaned group.
// Call it with the guard disarmed.
void alcedo_guard_stop(void);

enum { alcedo_console_font_limit = 65535 };

// Writes the characters that the console's font has, at most `alcedo_console_font_limit`; returns their number, -1 where
// `terminal` is not the Linux console.
int alcedo_console_font(int terminal, unsigned short *characters);
#endif
