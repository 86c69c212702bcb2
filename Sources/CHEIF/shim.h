// libheif, from libheif-dev. Only Pictures imports it.
#include <libheif/heif.h>
