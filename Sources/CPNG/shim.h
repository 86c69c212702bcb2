// libpng, from libpng-dev. Pictures imports it to read files, Drawing to write them.
//
// It reports errors with longjmp, which must not cross Swift frames: each call that can fail has a setjmp here, and
// returns 0 on an error.
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file in memory, and libpng's last error.
struct png_file {
  const unsigned char *bytes;
  size_t count;
  size_t place;
  char complaint[128];
};

static inline void png_file_take(png_structp png, png_bytep target, size_t count) {
  struct png_file *file = (struct png_file *)png_get_io_ptr(png);
  size_t left = file->count - file->place;
  if (left == 0) png_error(png, "it ends too early");
  // libpng draws the available part of a truncated last chunk, and rejects zeros.
  if (count > left) memset(target + left, 0, count - left);
  size_t taken = count < left ? count : left;
  memcpy(target, file->bytes + file->place, taken);
  file->place += taken;
}

static inline void png_file_complain(png_structp png, png_const_charp words) {
  struct png_file *file = (struct png_file *)png_get_error_ptr(png);
  snprintf(file->complaint, sizeof file->complaint, "%s", words);
  png_longjmp(png, 1);
}

static inline void png_file_ignore(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}

static inline png_structp png_file_open(struct png_file *file) {
  return png_create_read_struct(
    PNG_LIBPNG_VER_STRING, file, png_file_complain, png_file_ignore);
}

static inline void png_file_close(png_structp png, png_infop info) {
  png_destroy_read_struct(&png, &info, NULL);
}

// Reads everything before the pixels.
static inline int png_file_begin(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_read_fn(png, png_get_error_ptr(png), png_file_take);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_read_info(png, info);
  return 1;
}

// Sets the pixel format to blue, green, red and alpha, one byte each. Returns the number of passes.
static inline int png_file_prepare(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_bgr(png);
  png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != 4 * (size_t)png_get_image_width(png, info)) return 0;
  return passes;
}

static inline int png_file_read_row(png_structp png, png_bytep row, png_bytep display) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_row(png, row, display);
  return 1;
}

// Writes a bitmap of 32-bit pixels, whose unused byte is the last, by its rows: in gray if `gray`, which takes the blue
// byte of each pixel. `x` and `y` are pixels per meter.
//
// A little compression without filters: 600 dpi of text take 0.1 s instead of 0.6 s, and a quarter more bytes.
static inline int png_file_write(
    png_rw_ptr take, void *target, const unsigned char *pixels, size_t stride, png_uint_32 width, png_uint_32 height,
    int gray, png_uint_32 x, png_uint_32 y) {
  struct png_file file = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &file, png_file_complain, png_file_ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  unsigned char *line = malloc(width);
  int written = 0;
  if (info && line && !setjmp(png_jmpbuf(png))) {
    png_set_write_fn(png, target, take, NULL);
    png_set_compression_level(png, 2);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(
      png, info, width, height, 8, gray ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_pHYs(png, info, x, y, PNG_RESOLUTION_METER);
    png_write_info(png, info);
    if (!gray) {
      png_set_bgr(png);
      png_set_filler(png, 0, PNG_FILLER_AFTER);
    }
    for (png_uint_32 row = 0; row < height; row++) {
      const unsigned char *from = pixels + row * stride;
      for (png_uint_32 column = 0; gray && column < width; column++) line[column] = from[4 * column];
      png_write_row(png, gray ? line : from);
    }
    png_write_end(png, info);
    written = 1;
  }
  if (png) png_destroy_write_struct(&png, &info);
  free(line);
  return written;
}
