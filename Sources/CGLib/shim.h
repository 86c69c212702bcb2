// GLib, GObject and GIO, from libglib2.0-dev: what Poppler, Pango, librsvg and gdk-pixbuf stand on.
#include <gio/gio.h>
