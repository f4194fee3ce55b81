// Restores the terminal when the process dies: async-signal-safe C only.
#ifndef ALCEDO_TERMINAL_GUARD_H
#define ALCEDO_TERMINAL_GUARD_H
#endif
