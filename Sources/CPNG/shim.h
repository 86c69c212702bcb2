// libpng, from libpng-dev. Only Pictures imports it.
//
// It reports errors with longjmp, which must not cross Swift frames: each call that can fail has a setjmp here, and
// returns 0 on an error.
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
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
