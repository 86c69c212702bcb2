// cairo, from libcairo2-dev. Poppler, Pango and librsvg take its contexts, so all modules that draw import it.
#include <cairo-pdf.h>
#include <cairo-ps.h>
#include <cairo.h>
