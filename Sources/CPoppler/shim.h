// Poppler's GLib interface and cairo, as libpoppler-glib-dev installs them; pkg-config's poppler-glib
// links both. Imported by Documents alone.
#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <cairo.h>
#include <poppler.h>
