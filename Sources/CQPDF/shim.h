// QPDF's C interface, as libqpdf-dev installs it. Imported by Documents alone.
#include <qpdf/qpdf-c.h>
