// Notices pictures that libjpeg and Poppler draw although bytes of them are damaged or missing, without a message.
#define _GNU_SOURCE  // RTLD_NEXT

#include "patches.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// Functions of Poppler, by their names in C++, which the dynamic linker prefers to its own (ld.so(8)): 22 to 26.
#define ROW _ZN11ImageStream7getLineEv
#define BYTE _ZN11EmbedStream7getCharEv
#define INLINE _ZN3Gfx12opBeginImageEP6Objecti
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
// Sets `own` to the library's function.
#define FIND(own, name) \
  if (!own) own = (__typeof__(own))dlsym(RTLD_NEXT, TEXT(name))

static _Thread_local int is_damaged, is_drawing_row, is_inline;

int pictures_take(void) {
  const int taken = is_damaged;
  is_damaged = 0;
  return taken;
}

// MARK: libjpeg

// Bytes that a writer may have put before a marker, such as the rest of a word.
enum { most_padding = 16 };

static void (*own_hear)(j_common_ptr, int);

static void hear(j_common_ptr decoder, int level) {
  static const char damage[] = "Corrupt JPEG data";
  struct jpeg_error_mgr *const errors = decoder->err;
  const int code = errors->msg_code;
  // Others are about what the file says of the picture.
  if (level < 0 && code > 0 && code <= errors->last_jpeg_message &&
      strncmp(errors->jpeg_message_table[code], damage, sizeof damage - 1) == 0 &&
      (code != JWRN_EXTRANEOUS_DATA || errors->msg_parm.i[0] > most_padding))
    is_damaged = 1;
  own_hear(decoder, level);
}

struct jpeg_error_mgr *jpeg_std_error(struct jpeg_error_mgr *errors) {
  static struct jpeg_error_mgr *(*own)(struct jpeg_error_mgr *);
  FIND(own, jpeg_std_error);
  own(errors);
  own_hear = errors->emit_message;
  errors->emit_message = hear;
  return errors;
}

struct ending {
  struct jpeg_error_mgr errors;
  jmp_buf end;
};

static void stop(j_common_ptr decoder) { longjmp(((struct ending *)decoder->err)->end, 1); }

// Without the end of the data, Poppler's skips for ever.
static void skip(j_decompress_ptr decoder, long count) {
  (void)count;
  stop((j_common_ptr)decoder);
}

// Reads what follows the last row, as Poppler doesn't: damage in the middle leaves data over.
static void read_end(j_decompress_ptr decoder) {
  static int (*own)(j_decompress_ptr);
  FIND(own, jpeg_consume_input);
  struct jpeg_error_mgr *errors = decoder->err;
  void (*const own_skip)(j_decompress_ptr, long) = decoder->src->skip_input_data;
  struct ending ending = {.errors = *errors};
  ending.errors.error_exit = stop;
  decoder->err = &ending.errors;
  decoder->src->skip_input_data = skip;
  if (!setjmp(ending.end)) {
    int state;
    do state = own(decoder);
    while (state != JPEG_SUSPENDED && state != JPEG_REACHED_EOI);
  }
  decoder->src->skip_input_data = own_skip;
  decoder->err = errors;
}

JDIMENSION jpeg_read_scanlines(j_decompress_ptr decoder, JSAMPARRAY rows, JDIMENSION most) {
  static JDIMENSION (*own)(j_decompress_ptr, JSAMPARRAY, JDIMENSION);
  FIND(own, jpeg_read_scanlines);
  const JDIMENSION count = own(decoder, rows, most);
  // Others wait for more data.
  if (!is_drawing_row) return count;
  if (count == 0) is_damaged = 1;
  if (decoder->output_scanline == decoder->output_height) read_end(decoder);
  return count;
}

// MARK: Poppler

// A decoder, with the table of its virtual functions; before that is its type.
struct stream {
  struct {
    int (*functions[1])(struct stream *);
  } *table;
};

// A picture that is read row by row (Stream.h).
struct picture {
  struct stream *stream;
};

typedef int (*look_function)(struct stream *);

// Where a decoder's `lookChar` is in the table; 0: unknown.
static int find_look(void) {
  void **table = dlsym(RTLD_NEXT, "_ZTV11EmbedStream");
  void *look = dlsym(RTLD_NEXT, "_ZN11EmbedStream8lookCharEv");
  if (table && look)
    // Behind the offset and the type.
    for (int index = 1; index < 16; index++)
      if (table[2 + index] == look) return index;
  return 0;
}

static const char *name_of_type(const struct stream *stream) {
  const void *const *type = ((const void *const *const *)stream->table)[-1];
  return type[1];
}

// Draws white, or whatever 255 is, in place of missing bytes.
unsigned char *ROW(struct picture *picture) {
  static unsigned char *(*own)(struct picture *);
  static int look = -1;
  if (look < 0) look = find_look();
  struct stream *stream = picture->stream;
  // A JPEG's end is libjpeg's to tell: see `jpeg_read_scanlines`.
  is_drawing_row = strcmp(name_of_type(stream), "9DCTStream") == 0;
  if (!is_drawing_row && look > 0 && stream->table->functions[look](stream) == EOF) is_damaged = 1;
  FIND(own, ROW);
  unsigned char *row = own(picture);
  is_drawing_row = 0;
  return row;
}

// Takes all of a content for the picture if there is no EI behind it.
void INLINE(void *content, void *arguments, int count) {
  static void (*own)(void *, void *, int);
  FIND(own, INLINE);
  is_inline = 1;
  own(content, arguments, count);
  is_inline = 0;
}

int BYTE(struct stream *stream) {
  static int (*own)(struct stream *);
  FIND(own, BYTE);
  const int byte = own(stream);
  if (byte == EOF && is_inline) is_damaged = 1;
  return byte;
}
