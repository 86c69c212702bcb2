// librsvg, from librsvg2-dev. Only SVG imports it.
#include "../CCairo/shim.h"
#include "../CGLib/shim.h"
#include <librsvg/rsvg.h>
