// gdk-pixbuf, as libgdk-pixbuf-2.0-dev installs it. Imported by Documents alone.
#include <gdk-pixbuf/gdk-pixbuf.h>
