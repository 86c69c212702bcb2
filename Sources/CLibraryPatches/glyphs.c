// Notices characters of a PDF that their font has no glyph for: Poppler draws a box or nothing, and for a font of
// drawings (Type 3) nothing, or with cairo the first one, even for a space.
#include "fonts.h"

// Functions of Poppler, by their names in C++ (see pictures.c): 22 to 26.
#define NEXT _ZNK11Gfx8BitFont11getNextCharEPKciPjPPKjPiPdS7_S7_S7_
#define NEXT_WIDE _ZNK10GfxCIDFont11getNextCharEPKciPjPPKjPiPdS7_S7_S7_
#define IS_PART _ZNK7GfxFont8isSubsetEv
#define DRAWINGS _ZN11Gfx8BitFont12getCharProcsEv
#define DRAWING _ZN11Gfx8BitFont13getCharProcNFEi
#define ARGUMENTS \
  void *font, const char *text, int length, unsigned *code, const unsigned **meaning, int *count, double *dx, \
      double *dy, double *x, double *y

// An object of Poppler's, which is smaller, but returned as large structures are.
struct object {
  int type;
  void *rest[3];
};
enum { reference = 9 };

// The last characters that Poppler has read: it draws a string after it has read all of its characters.
enum { most = 1 << 12 };
static struct character characters[most], boxed;
static unsigned character_count;
static int found[3];

int glyphs_take(enum glyph_fault fault) {
  const int taken = found[fault];
  found[fault] = character_count = 0;
  return taken;
}

static void note_glyph(FT_Face face, unsigned long glyph, const struct character *one) {
  if (face) fonts_note(face, glyph, one);
  if (!one->mark || glyph != 0) return;
  // A part of a font may have a letter in the place of the box, but not two.
  found[no_glyph] |= !one->part || (one->part == boxed.part && one->mark != boxed.mark);
  boxed = *one;
}

void glyphs_show(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
  const FT_Face face = character_count ? fonts_lock(context) : 0;
  for (int index = 0; index < count && (unsigned)count <= character_count && count <= most; index++) {
    const struct character one = characters[(character_count - (unsigned)(count - index)) % most];
    found[other_glyph] |= one.is_undrawn;
    note_glyph(face, glyphs[index].index, &one);
  }
  if (face) fonts_unlock(context);
  character_count = 0;
}

int glyphs_shown(cairo_t *context) { return found[lost_colors] |= drawings_lose_colors(context); }

// Splash looks up each glyph after it has read its character, and cairo only when a string was shown.
FT_Error FT_Load_Glyph(FT_Face face, FT_UInt glyph, FT_Int32 flags) {
  static __typeof__(&FT_Load_Glyph) own;
  FIND(own, FT_Load_Glyph);
  if (character_count) note_glyph(face, glyph, &characters[(character_count - 1) % most]);
  return own(face, glyph, flags);
}

static void note(const void *font, const unsigned *meaning, int count, struct character one) {
  static int (*is_part)(const void *), (*is_graph)(unsigned);
  FIND(is_part, IS_PART);
  FIND(is_graph, g_unichar_isgraph);
  if (!is_part || is_part(font) & 1) one.part = font;
  // Poppler takes a number for a character when it knows nothing else.
  one.is_unknown = !count || (one.is_numbered && count == 1 && *meaning == one.number);
  for (int index = 0; index < count; index++)
    if (is_graph && is_graph(meaning[index]) && meaning[index] != 0xFFFD) one.mark = meaning[index];
  found[no_glyph] |= one.is_undrawn && one.mark;
  characters[character_count++ % most] = one;
}

int NEXT(ARGUMENTS) {
  static int (*own)(ARGUMENTS);
  static const void *(*drawings)(void *);
  static struct object (*drawing)(void *, int);
  FIND(own, NEXT);
  FIND(drawings, DRAWINGS);
  FIND(drawing, DRAWING);
  const int read = own(font, text, length, code, meaning, count, dx, dy, x, y);
  const int is_drawing = drawings && drawing && drawings(font);
  const int is_drawn = is_drawing && drawing(font, (int)*code).type == reference;
  // The first drawing is as good as any.
  note(font, *meaning, is_drawn ? 0 : *count, (struct character){.is_undrawn = is_drawing && !is_drawn, .width = *dx});
  return read;
}

// cairo's fonts know a drawing by its place among all, which Poppler sorts when one of 32 or more is first looked up:
// that happens before they ask for all.
void *DRAWINGS(void *font) {
  static void *(*own)(void *);
  static struct object (*drawing)(void *, int);
  FIND(own, DRAWINGS);
  FIND(drawing, DRAWING);
  for (int code = 0; drawing && code < 256 && drawing(font, code).type != reference;) code++;
  return own ? own(font) : 0;
}

int NEXT_WIDE(ARGUMENTS) {
  static int (*own)(ARGUMENTS);
  FIND(own, NEXT_WIDE);
  const int read = own(font, text, length, code, meaning, count, dx, dy, x, y);
  note(font, *meaning, *count, (struct character){.is_numbered = 1, .number = *code, .width = *dx});
  return read;
}
