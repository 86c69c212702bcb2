// Of the files here that read a PDF's text.
#include "patches.h"

#include <cairo-ft.h>
#include FT_ADVANCES_H

// The file from which a context's glyphs come, which is locked until `fonts_unlock`; null for anything but such a font.
FT_Face fonts_lock(cairo_t *context);
void fonts_unlock(cairo_t *context);
// What is known of a character before its glyph is looked up: one that leaves a mark, or 0; its number in a font that
// has numbers (CIDs); its font, unless that is a whole one; and its width, where an em is 1.
struct character {
  unsigned mark, number;
  const void *part;
  double width;
  // If the font has no drawing of it, if it has a number, and if nothing says which one it is.
  int is_undrawn, is_numbered, is_unknown;
};
// Notes that a glyph is drawn for a character.
void fonts_note(FT_Face face, unsigned long glyph, const struct character *character);
// Returns true if a context shows drawings (Type 3) in the color of its text that have others.
int drawings_lose_colors(cairo_t *context);
