// giflib, as libgif-dev installs it. Imported by Documents alone.
#include <gif_lib.h>
