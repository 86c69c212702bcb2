// Pango on cairo, as libpango1.0-dev installs it. Imported by Documents alone.
#include <pango/pangocairo.h>
