// librsvg, as librsvg2-dev installs it. Imported by Documents alone.
#include <librsvg/rsvg.h>
