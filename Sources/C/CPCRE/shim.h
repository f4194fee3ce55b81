// PCRE2: regular expressions of bytes in UTF-8. GLib loads the library anyway.
#ifndef ALCEDO_CPCRE_H
#define ALCEDO_CPCRE_H
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
