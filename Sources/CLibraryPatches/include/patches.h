// What stands in for functions and variables of the C library; tmpfile(3) needs no declaration here.

// Starts to read what libraries write to standard output and standard error; both go to standard error.
void complaints_listen(void);
// Returns true if a font could not be created since the last call.
int complaints_take(void);

// Returns true if a picture was drawn of which bytes are damaged or missing, on this thread since the last call.
int pictures_take(void);

// Notes that cairo draws these letters: a string of a PDF that was read just before, or any other text.
void glyphs_show(const void *glyphs, int count);
enum glyph_fault { no_glyph, other_glyph };
// Returns true if there was a visible character without a glyph since the last call, or if cairo drew another's.
int glyphs_take(enum glyph_fault fault);

#include <dlfcn.h>

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
// Sets `own` to the library's function, in C.
#define FIND(own, name) \
  if (!own) own = (__typeof__(own))dlsym(RTLD_NEXT, TEXT(name))
