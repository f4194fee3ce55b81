#include "CTerminalGuard.h"

#include <linux/kd.h>
#include <stdlib.h>
#include <sys/ioctl.h>

int alcedo_console_font(int terminal, unsigned short *characters) {
    struct unimapdesc map = {.entry_ct = alcedo_console_font_limit};
    map.entries = malloc(alcedo_console_font_limit * sizeof *map.entries);
    if (!map.entries) return -1;
    int count = ioctl(terminal, GIO_UNIMAP, &map) == 0 ? map.entry_ct : -1;
    for (int index = 0; index < count; index++) characters[index] = map.entries[index].unicode;
    free(map.entries);
    return count;
}
