// QPDF's C interface, from libqpdf-dev. Only PDFRepair imports it.
#include <qpdf/qpdf-c.h>
