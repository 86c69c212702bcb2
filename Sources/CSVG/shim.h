// librsvg, from librsvg2-dev. Only Documents imports it.
#include <librsvg/rsvg.h>
