// GnuTLS, which libcups uses for TLS, from libgnutls28-dev. Only IPP imports it.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
