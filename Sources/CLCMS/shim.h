// Little CMS 2, from liblcms2-dev. Only Documents imports it.
#include <lcms2.h>
