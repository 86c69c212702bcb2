// Pango with cairo, from libpango1.0-dev. Only Text imports it.
#include "../CCairo/shim.h"
#include "../CGLib/shim.h"
#include <pango/pangocairo.h>
