// gdk-pixbuf, from libgdk-pixbuf-2.0-dev. Only Documents imports it.
#include <gdk-pixbuf/gdk-pixbuf.h>
