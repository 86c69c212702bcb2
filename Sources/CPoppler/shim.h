// Poppler's GLib interface, from libpoppler-glib-dev. Only PDF imports it.
#include "../CCairo/shim.h"
#include "../CGLib/shim.h"
#include <poppler.h>
