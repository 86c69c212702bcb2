// GnuTLS, which libcups encrypts with; as libgnutls28-dev installs it. Imported by IPP alone.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
