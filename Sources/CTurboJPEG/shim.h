// libjpeg-turbo's TurboJPEG interface, whose errors are values, as libturbojpeg0-dev installs it. Imported by Documents alone.
#include <turbojpeg.h>
