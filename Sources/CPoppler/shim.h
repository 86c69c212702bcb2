// Poppler's GLib interface and cairo, from libpoppler-glib-dev; pkg-config's poppler-glib links both. Only Documents
// imports them.
#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <cairo.h>
#include <poppler.h>
