// libwebp's decoder, from libwebp-dev. Only Documents imports it.
#include <webp/decode.h>
