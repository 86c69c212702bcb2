// libwebp's decoder, from libwebp-dev. Only Pictures imports it.
#include <webp/decode.h>
