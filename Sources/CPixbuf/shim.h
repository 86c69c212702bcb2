// gdk-pixbuf, from libgdk-pixbuf-2.0-dev. Only Pictures imports it.
#include "../CGLib/shim.h"
#include <gdk-pixbuf/gdk-pixbuf.h>
