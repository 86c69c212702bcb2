// What stands in for functions and variables of the C library; tmpfile(3) needs no declaration here.

// Starts to read what libraries write to standard output and standard error; both go to standard error.
void complaints_listen(void);
// Returns true if a font could not be created since the last call.
int complaints_take(void);

// Returns true if a picture was drawn of which bytes are damaged or missing, on this thread since the last call.
int pictures_take(void);

enum glyph_fault { no_glyph, other_glyph, lost_colors };
// Returns true if there was a visible character without a glyph since the last call, if cairo drew another's, or if it
// drew one without its colors.
int glyphs_take(enum glyph_fault fault);

// A font that a PDF doesn't include, another one in which its text was drawn, and if that has other letters.
struct substituted_font {
  const char *family, *drawn;
  _Bool is_wrong;
};
// Returns true for one with which text was drawn since the last call, unless it has the same letters and measures.
int fonts_take(struct substituted_font *font);

// Returns true if a PDF's text was drawn where it isn't since the last call.
int places_take(void);

#include <cairo.h>
#include <dlfcn.h>
#include <lcms2.h>
#include <pixman.h>

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
// Sets `own` to the library's function, where the program has a replacement, which the dynamic linker prefers (ld.so(8)),
// whichever library calls it: RTLD_NEXT. It is null while no library with this function is loaded.
#define FIND(own, name) \
  if (!own) own = (__typeof__(own))dlsym((void *)-1L, TEXT(name))
// Replaces an operator of Poppler's, with what is done before it and after it.
#define INSTEAD(name, before, after) \
  void name(void *page, void *arguments, int count) { \
    static void (*own)(void *, void *, int); \
    FIND(own, name); \
    before; \
    own(page, arguments, count); \
    after; \
  }
// The same for Swift, with the type that the library's header states: own_cairo_clip().
#define OWN(name) \
  static inline __typeof__(&name) own_##name(void) { \
    static __typeof__(&name) own; \
    FIND(own, name); \
    return own; \
  }
// Notes that cairo draws these letters: a string of a PDF that was read just before, or any other text.
void glyphs_show(cairo_t *context, const cairo_glyph_t *glyphs, int count);
// Notes that it has drawn them; returns true if any of the page has lost its colors.
int glyphs_shown(cairo_t *context);
// Notes what a context is going to draw with.
void drawings_paint(cairo_pattern_t *paint);
OWN(cairo_clip)
OWN(cairo_create)
OWN(cairo_curve_to)
OWN(cairo_fill_preserve)
OWN(cairo_glyph_path)
OWN(cairo_image_surface_create)
OWN(cairo_line_to)
OWN(cairo_mask)
OWN(cairo_mask_surface)
OWN(cairo_move_to)
OWN(cairo_paint)
OWN(cairo_paint_with_alpha)
OWN(cairo_set_source)
OWN(cairo_show_glyphs)
OWN(cairo_show_text)
OWN(cairo_show_text_glyphs)
OWN(cairo_stroke_preserve)
OWN(cmsCreateTransform)
OWN(cmsDeleteTransform)
OWN(cmsSaveProfileToMem)
OWN(pixman_image_composite32)
OWN(pixman_image_create_bits)
OWN(pixman_image_create_solid_fill)
OWN(pixman_image_get_data)
OWN(pixman_image_get_format)
OWN(pixman_image_get_height)
OWN(pixman_image_get_stride)
OWN(pixman_image_get_width)
OWN(pixman_image_set_clip_region32)
OWN(pixman_image_set_filter)
OWN(pixman_image_set_repeat)
OWN(pixman_image_set_transform)
OWN(pixman_image_unref)
#undef OWN
