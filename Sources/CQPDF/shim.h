// QPDF's C interface, from libqpdf-dev. Only Documents imports it.
#include <qpdf/qpdf-c.h>
