// giflib, from libgif-dev. Only Pictures imports it.
#include <gif_lib.h>
