// The object system that libvips' headers are written in; CVips asks it for types and releases objects.
#ifndef ALCEDO_CGOBJECT_H
#define ALCEDO_CGOBJECT_H
#include <glib-object.h>
#endif
