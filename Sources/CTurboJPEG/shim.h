// libjpeg-turbo's TurboJPEG interface, which returns errors as values, from libturbojpeg0-dev. Only Pictures imports
// it.
#include <turbojpeg.h>
