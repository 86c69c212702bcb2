// giflib, from libgif-dev. Only Documents imports it.
#include <gif_lib.h>
