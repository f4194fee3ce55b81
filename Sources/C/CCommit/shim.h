// The commit that the program was built from.
#ifndef ALCEDO_CCOMMIT_H
#define ALCEDO_CCOMMIT_H
// Defined by the object that the Makefile links with the program; without it, the address is null.
extern const char alcedo_commit[] __attribute__((weak));

// Returns the short hash, with a + if files differed from the commit, or NULL where it is not known.
static inline const char *alcedo_commit_hash(void) { return alcedo_commit; }
#endif
