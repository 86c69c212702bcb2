// Notices pictures that libjpeg and Poppler draw although bytes of them are damaged or missing, without a message.
#include "patches.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// Functions of Poppler, by their names in C++, which the dynamic linker prefers to its own (ld.so(8)): 22 to 26.
#define ROW _ZN11ImageStream7getLineEv
#define BYTE _ZN11EmbedStream7getCharEv

// No table of a decoder's functions has more.
enum { most_places = 64 };

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
  if (decoder->output_scanline == decoder->output_height) read_end(decoder);
  return count;
}

// MARK: Poppler

// A decoder, with the table of its virtual functions.
struct stream {
  int (**functions)(struct stream *);
};

// A picture that is read row by row (Stream.h).
struct picture {
  struct stream *stream;
};

// The places of a decoder's functions in its table: getChar, and getChars behind what tells if a decoder has it.
static int byte_place, bytes_place;

// Finds a function in a table, behind the offset and the type; 0: it isn't there.
static int place(const char *name) {
  void **const table = dlsym(RTLD_NEXT, "_ZTV11EmbedStream");
  void *const wanted = dlsym(RTLD_NEXT, name);
  if (table && wanted)
    for (int index = 1; index < most_places; index++)
      if (table[2 + index] == wanted) return index;
  return 0;
}

static struct stream *decoder;

// Stands for all other functions, of which only the one that tells if there is a getChars is called.
static int say_yes(struct stream *reader) { return reader != NULL; }

// Reads a row for Poppler, which draws white, or whatever 255 is, in place of missing bytes.
static int read_row(struct stream *reader, int count, unsigned char *row) {
  (void)reader;
  int (**const functions)(struct stream *) = decoder->functions;
  int (*const read)(struct stream *, int, unsigned char *) = (void *)functions[bytes_place];
  int done = 0;
  if (functions[bytes_place - 1](decoder) & 1) done = read(decoder, count, row);
  else
    for (int byte; done < count && (byte = functions[byte_place](decoder)) != EOF; done++)
      row[done] = (unsigned char)byte;
  is_damaged |= done < count;
  return done;
}

unsigned char *ROW(struct picture *picture) {
  static unsigned char *(*own)(struct picture *);
  static int (*functions[most_places])(struct stream *);
  static struct stream reader = {functions};
  if (!own) {
    FIND(own, ROW);
    byte_place = place("_ZN11EmbedStream8lookCharEv") - 1;
    bytes_place = place("_ZN11EmbedStream8getCharsEiPh");
    for (int index = 0; index < most_places; index++) functions[index] = say_yes;
    functions[bytes_place] = (void *)read_row;
  }
  decoder = picture->stream;
  is_drawing_row = 1;
  if (bytes_place > 1 && byte_place > 0) picture->stream = &reader;
  unsigned char *row = own(picture);
  picture->stream = decoder;
  is_drawing_row = 0;
  return row;
}

// Takes all of a content for the picture if there is no EI behind it.
INSTEAD(_ZN3Gfx12opBeginImageEP6Objecti, is_inline = 1, is_inline = 0)

int BYTE(struct stream *stream) {
  static int (*own)(struct stream *);
  FIND(own, BYTE);
  const int byte = own(stream);
  if (byte == EOF && is_inline) is_damaged = 1;
  return byte;
}
