// What stands in for functions and variables of the C library; tmpfile(3) needs no declaration here.

// Starts to read what libraries write to standard output and standard error; both go to standard error.
void complaints_listen(void);
// Returns true if a font could not be created since the last call.
int complaints_take(void);

// Returns true if a picture was drawn of which bytes are damaged or missing, on this thread since the last call.
int pictures_take(void);

#include <dlfcn.h>

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
// Sets `own` to the library's function, in C.
#define FIND(own, name) \
  if (!own) own = (__typeof__(own))dlsym(RTLD_NEXT, TEXT(name))
