// tmpfile(3) in memory. cairo keeps PostScript there until the last page is drawn (cairo-ps-surface.c, 1.16 to 1.18),
// and a worker may write no files. The dynamic linker prefers this function (ld.so(8)); the memory counts as the
// process's own.
#define _GNU_SOURCE  // fopencookie(3)

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory {
  char *bytes;
  size_t room, length, place;
};

static ssize_t take(void *cookie, char *to, size_t length) {
  struct memory *file = cookie;
  const size_t rest = file->place < file->length ? file->length - file->place : 0;
  if (length > rest) length = rest;
  if (length > 0) memcpy(to, file->bytes + file->place, length);
  file->place += length;
  return (ssize_t)length;
}

static ssize_t put(void *cookie, const char *from, size_t length) {
  struct memory *file = cookie;
  if (file->place > SIZE_MAX / 4 || length > SIZE_MAX / 4) {
    errno = EFBIG;
    return 0;
  }
  const size_t end = file->place + length;
  if (end > file->room) {
    size_t room = file->room + file->room / 2;
    if (room < end) room = end;
    if (room < 1 << 16) room = 1 << 16;
    char *bytes = realloc(file->bytes, room);
    if (!bytes) return 0;
    file->bytes = bytes;
    file->room = room;
  }
  // Skipped bytes are zeros.
  if (file->place > file->length) memset(file->bytes + file->length, 0, file->place - file->length);
  memcpy(file->bytes + file->place, from, length);
  file->place = end;
  if (end > file->length) file->length = end;
  return (ssize_t)length;
}

static int seek(void *cookie, off64_t *offset, int from) {
  struct memory *file = cookie;
  const size_t base = from == SEEK_CUR ? file->place : from == SEEK_END ? file->length : 0;
  const off64_t place = (off64_t)base + *offset;
  if (place < 0) {
    errno = EINVAL;
    return -1;
  }
  file->place = (size_t)place;
  *offset = place;
  return 0;
}

static int end(void *cookie) {
  struct memory *file = cookie;
  free(file->bytes);
  free(file);
  return 0;
}

FILE *tmpfile(void) {
  struct memory *memory = calloc(1, sizeof *memory);
  if (!memory) return NULL;
  const cookie_io_functions_t calls = {.read = take, .write = put, .seek = seek, .close = end};
  FILE *file = fopencookie(memory, "w+", calls);
  if (!file) free(memory);
  return file;
}

// The name in libraries built with large file support.
FILE *tmpfile64(void) { return tmpfile(); }
