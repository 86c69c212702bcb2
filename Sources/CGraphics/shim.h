// Poppler, cairo and gdk-pixbuf, whose types (cairo_t, GError, …) are shared between them. Imported by
// Documents alone.
#include <cairo-pdf.h>
#include <cairo.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gio/gio.h>
#include <poppler.h>
