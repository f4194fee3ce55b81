// The zygote: a process that is forked when the program is loaded, before it has threads, and forks the helpers of
// CSandbox. Linking this target is enough.
#ifndef ALCEDO_CZYGOTE_H
#define ALCEDO_CZYGOTE_H

// Prepares the rules that `zygote_confine` applies, so that helpers need not build them. Returns the descriptor that it
// needs, or -1; the lowest free descriptor is used.
int zygote_prepare(void);

// Takes away the rights of the calling process; returns the protections that hold, as bits of CSandbox.h.
int zygote_confine(void);
#endif
