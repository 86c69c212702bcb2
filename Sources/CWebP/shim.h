// libwebp's decoder, as libwebp-dev installs it. Imported by Documents alone.
#include <webp/decode.h>
