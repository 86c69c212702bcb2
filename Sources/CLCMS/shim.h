// Little CMS 2, from liblcms2-dev. Only Pictures imports it.
#include <lcms2.h>
