// Notices text of a PDF in fonts that it doesn't include: the fonts that fontconfig has for them, and if their glyphs are
// those of the text. Takes the ink of a drawing (Type 3) for its box, and notices drawings with colors of their own.
#include "fonts.h"

#include <ctype.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A family for which another font was found, and what was drawn with that since the last call: if anything was, and
// letters that are those of the text, or not, and that have the widths of its own, or not.
struct substitute {
  char family[128];
  FcPattern *font;
  int is_alike, is_drawn, right, wrong, narrow_or_wide, fitting;
};
static struct substitute *all;
static int count;

static const char *family(const FcPattern *font, int index) {
  static __typeof__(&FcPatternGetString) get;
  FIND(get, FcPatternGetString);
  FcChar8 *name;
  return get && get(font, FC_FAMILY, index, &name) == FcResultMatch ? (const char *)name : 0;
}

// As fontconfig compares families, without blanks and case.
static int is_same(const char *one, const char *other) {
  for (;; one++, other++) {
    while (*one == ' ') one++;
    while (*other == ' ') other++;
    if (tolower((unsigned char)*one) != tolower((unsigned char)*other)) return 0;
    if (!*one) return 1;
  }
}

static int has_family(const FcPattern *font, const char *wanted) {
  for (int index = 0; family(font, index); index++)
    if (is_same(family(font, index), wanted)) return 1;
  return 0;
}

static void note_substitute(FcPattern *wanted, FcPattern *font) {
  static __typeof__(&FcPatternGetWithBinding) get;
  static __typeof__(&FcPatternReference) keep;
  FIND(get, FcPatternGetWithBinding);
  FIND(keep, FcPatternReference);
  if (!get || !keep) return;
  struct substitute one = {.font = font};
  FcValue value;
  FcValueBinding binding;
  // What was asked for and what stands for it are strong; anything else is better than nothing.
  for (int index = 0; get(wanted, FC_FAMILY, index, &value, &binding) == FcResultMatch; index++) {
    if (binding == FcValueBindingWeak || value.type != FcTypeString) continue;
    const char *name = (const char *)value.u.s;
    if (!*one.family && binding == FcValueBindingStrong) strncpy(one.family, name, sizeof one.family - 1);
    one.is_alike |= has_family(font, name);
  }
  for (int index = 0; index < count; index++)
    if (all[index].font == font && strcmp(all[index].family, one.family) == 0) return;
  struct substitute *const more = realloc(all, ((size_t)count + 1) * sizeof one);
  if (!more) return;
  keep(font);
  all = more;
  all[count++] = one;
}

FcFontSet *FcFontSort(FcConfig *config, FcPattern *wanted, FcBool trims, FcCharSet **set, FcResult *result) {
  static __typeof__(&FcFontSort) own;
  FIND(own, FcFontSort);
  FcFontSet *const fonts = own(config, wanted, trims, set, result);
  if (fonts && fonts->nfont > 0) note_substitute(wanted, fonts->fonts[0]);
  return fonts;
}

FT_Face fonts_lock(cairo_t *context) {
  static __typeof__(&cairo_ft_scaled_font_lock_face) lock;
  FIND(lock, cairo_ft_scaled_font_lock_face);
  cairo_scaled_font_t *const font = cairo_get_scaled_font(context);
  return lock && cairo_scaled_font_get_type(font) == CAIRO_FONT_TYPE_FT ? lock(font) : 0;
}

void fonts_unlock(cairo_t *context) {
  static __typeof__(&cairo_ft_scaled_font_unlock_face) unlock;
  FIND(unlock, cairo_ft_scaled_font_unlock_face);
  if (unlock) unlock(cairo_get_scaled_font(context));
}

void fonts_note(FT_Face face, unsigned long glyph, const struct character *character) {
  static __typeof__(&FT_Get_Char_Index) find;
  static __typeof__(&FT_Get_Advance) measure;
  static int (*is_letter)(unsigned), (*is_digit)(unsigned);
  // What the PDF includes is in memory.
  if (!count || !face->stream || !face->stream->pathname.pointer || !face->family_name) return;
  FIND(find, FT_Get_Char_Index);
  FIND(measure, FT_Get_Advance);
  FIND(is_letter, g_unichar_isalpha);
  FIND(is_digit, g_unichar_isdigit);
  const unsigned mark = character->mark;
  const int is_lost = character->is_unknown && (character->is_numbered || !glyph);
  // Other characters may have several signs.
  const int is_plain = mark && is_letter && is_digit && (is_letter(mark) || is_digit(mark));
  const unsigned long own = find && is_plain ? find(face, mark) : 0;
  FT_Fixed width = 0;
  if (own && measure) measure(face, (FT_UInt)own, FT_LOAD_NO_SCALE, &width);
  const int is_fitting = fabs((double)width / face->units_per_EM - character->width) < 0.02;
  for (int index = 0; index < count; index++) {
    struct substitute *const one = &all[index];
    if (!has_family(one->font, face->family_name)) continue;
    one->is_drawn |= mark || is_lost;
    const int is_wrong = is_lost || (own && own != glyph);
    one->wrong += is_wrong;
    one->right += glyph && !is_wrong;
    one->fitting += own && is_fitting;
    one->narrow_or_wide += own && !is_fitting;
  }
}

int fonts_take(struct substituted_font *font) {
  for (int index = 0; index < count; index++) {
    struct substitute *const one = &all[index];
    // Fonts with the same widths are made to look alike.
    const int is_alike = one->is_alike || one->fitting > 9 * one->narrow_or_wide;
    const int is_told = one->is_drawn && (!is_alike || one->wrong > one->right);
    *font = (struct substituted_font){one->family, family(one->font, 0), one->wrong > one->right};
    one->is_drawn = one->right = one->wrong = one->fitting = one->narrow_or_wide = 0;
    if (is_told) return 1;
  }
  return 0;
}

// MARK: Drawings

// What a drawing may have colors of its own (d0, ISO 32000-1 9.6.5), and has others than black.
struct colors {
  int are_own, are_others;
};

struct drawings {
  cairo_user_scaled_font_render_glyph_func_t draw;
  struct colors colors;
};
static const cairo_user_data_key_t drawings;

// The drawing that is made: cairo draws each once, as a mask for the color of the text.
static struct colors made;

INSTEAD(_ZN3Gfx14opSetCharWidthEP6Objecti, made.are_own = 1, )

static int is_black(cairo_pattern_t *paint) {
  double red = 1, green = 1, blue = 1, alpha;
  return cairo_pattern_get_rgba(paint, &red, &green, &blue, &alpha) == CAIRO_STATUS_SUCCESS &&
         red + green + blue == 0;
}

void drawings_paint(cairo_pattern_t *paint) { made.are_others |= made.are_own && !is_black(paint); }

int drawings_lose_colors(cairo_t *context) {
  const struct drawings *const its =
      cairo_font_face_get_user_data(cairo_get_font_face(context), &drawings);
  return its && its->colors.are_own && (its->colors.are_others || !is_black(cairo_get_source(context)));
}

// cairo cuts a drawing off at the box that it is given, which the PDF only states, and measures it if there is none.
static cairo_status_t draw(
    cairo_scaled_font_t *font, unsigned long glyph, cairo_t *context, cairo_text_extents_t *box) {
  struct drawings *const its =
      cairo_font_face_get_user_data(cairo_scaled_font_get_font_face(font), &drawings);
  // A drawing may draw others.
  const struct colors outer = made;
  made = (struct colors){0};
  const cairo_status_t status = its->draw(font, glyph, context, box);
  its->colors.are_own |= made.are_own;
  its->colors.are_others |= made.are_others;
  made = outer;
  box->width = 0;
  return status;
}

void cairo_user_font_face_set_render_glyph_func(
    cairo_font_face_t *face, cairo_user_scaled_font_render_glyph_func_t function) {
  static __typeof__(&cairo_user_font_face_set_render_glyph_func) own;
  FIND(own, cairo_user_font_face_set_render_glyph_func);
  struct drawings *const its = calloc(1, sizeof *its);
  if (!its || cairo_font_face_set_user_data(face, &drawings, its, free)) return own(face, function);
  its->draw = function;
  own(face, draw);
}
