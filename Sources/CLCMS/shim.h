// Little CMS 2, as liblcms2-dev installs it. Imported by Documents alone.
#include <lcms2.h>
