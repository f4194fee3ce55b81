// The part of ncursesw the project uses. Macros and shared globals that Swift cannot see get one inline function each.
#ifndef ALCEDO_CNCURSES_H
#define ALCEDO_CNCURSES_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

// Without _GNU_SOURCE the headers hide these two.
extern int memfd_create(const char *name, unsigned int flags);
extern int wcwidth(wchar_t character);

static inline int alcedo_memory_file(void) { return memfd_create("alcedo-screen", 1u /* MFD_CLOEXEC */); }

static inline int alcedo_character_width(wchar_t character) { return wcwidth(character); }

// From <term.h>, whose macros have common names.
extern int tgetent(char *buffer, const char *name);

// Whether the terminal database has an entry; not to be called while there is a screen.
static inline int alcedo_database_has(const char *terminal) { return tgetent(NULL, terminal) == 1; }

static inline void alcedo_no_signal(int number) { (void)number; }

// newterm without its signal handlers, because the terminal guard handles signals. Curses must not find the default
// handlers: it would then ignore SIGTSTP during every update, and some stops would be lost.
static inline SCREEN *alcedo_new_screen(const char *terminal, FILE *output, FILE *input) {
    static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    struct sigaction saved[4];
    struct sigaction other = {.sa_handler = alcedo_no_signal, .sa_flags = SA_RESTART};
    for (int index = 0; index < 4; index++) sigaction(signals[index], &other, &saved[index]);
    use_env(FALSE);
    use_tioctl(FALSE);
    SCREEN *screen = newterm(terminal, output, input);
    // A terminfo entry without cols# and lines# gives no size, and newterm fails. With use_env the size is 80x24, or
    // that of LINES and COLUMNS.
    if (!screen) {
        use_env(TRUE);
        screen = newterm(terminal, output, input);
    }
    for (int index = 0; index < 4; index++) sigaction(signals[index], &saved[index], NULL);
    return screen;
}

static inline WINDOW *alcedo_window(void) { return stdscr; }
static inline int alcedo_colors(void) { return COLORS; }
static inline int alcedo_color_pairs(void) { return COLOR_PAIRS; }
static inline void alcedo_redraw_all(void) { clearok(curscr, TRUE); }
static inline attr_t alcedo_bold(void) { return A_BOLD; }
static inline attr_t alcedo_dim(void) { return A_DIM; }
static inline attr_t alcedo_reverse(void) { return A_REVERSE; }

// `text` is one spacing character with up to four combining ones, ended by 0.
static inline int alcedo_put(int row, int column, const wchar_t *text, attr_t attributes, short pair) {
    cchar_t cell;
    if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
    return mvadd_wch(row, column, &cell);
}
#endif
