// Pango with cairo, from libpango1.0-dev. Only Documents imports it.
#include <pango/pangocairo.h>
