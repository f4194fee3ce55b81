// The part of ncursesw the project uses. Macros and shared globals that Swift cannot see get one inline function each.
#ifndef ALCEDO_CNCURSES_H
#define ALCEDO_CNCURSES_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#endif
