// Conformances of types to protocols, found in a table. Swift's runtime reads the whole list of the program's
// conformances, 5,500, whenever it is asked about another type and protocol: more than half of the instructions that a
// command executed. `make build` and `make test` link the runtime into the program and let the functions at the end of
// this file replace those of the runtime that they call (ld's --wrap). Other builds have several lists, and don't.
//
// What is not plain (classes, conditional conformances, unknown flags) is left to the runtime. The layouts are Swift's
// ABI: TargetProtocolConformanceDescriptor in ABI/Metadata.h; ConformanceFlags, MetadataKind and ExistentialTypeFlags in
// ABI/MetadataValues.h.
#ifdef AIRPRINT_LATE_LIBRARIES
#include <pthread.h>
#include <stdint.h>

// For Sources/CLateLibraries.
const char airprint_late_libraries[] = " " AIRPRINT_LATE_LIBRARIES;

// ArgumentParser reads all options once more to learn whether one is .allUnrecognized: none is (LayeringTests).
int takes_unknown(void) __asm__("__wrap_$s14ArgumentParser15ParsableCommandPAAE023includesAllUnrecognizedA0SbvgZ");
int takes_unknown(void) { return 0; }

// All but `flags` are distances from the member itself.
struct conformance { int32_t protocol, type, witnesses; uint32_t flags; };

extern const int32_t list[] __asm__("__start_swift5_protocol_conformances") __attribute__((visibility("hidden")));
extern const int32_t list_end[] __asm__("__stop_swift5_protocol_conformances") __attribute__((visibility("hidden")));

// The list's indices plus 1, by the hash of protocol and type; 0 is an empty place.
enum { places = 1 << 14 };
static uint16_t table[places];
static int is_made;

// In its lowest bit, a distance has that it leads to a pointer.
static const void *target(const int32_t *distance) {
  const char *place = (const char *)distance + (*distance & ~1);
  return *distance & 1 ? *(const void *const *)place : place;
}

static const struct conformance *listed(unsigned index) { return target(list + index); }

// The type's descriptor, here with the pointer's bit in the flags; 0 for Objective-C's types.
static const void *type_of(const struct conformance *conformance) {
  const char *place = (const char *)&conformance->type + conformance->type;
  unsigned kind = conformance->flags >> 3 & 7;
  return kind == 0 ? place : kind == 1 ? *(const void *const *)place : 0;
}

static unsigned first_place(const void *protocol, const void *type) {
  uint32_t hash = ((uintptr_t)protocol >> 2) * 0x9E3779B1u + ((uintptr_t)type >> 2) * 0x85EBCA6Bu;
  return (hash ^ hash >> 15) % places;
}

static void make_table(void) {
  unsigned count = list_end - list;
  if (count > places / 2) return;
  for (unsigned index = 0; index < count; index++) {
    const struct conformance *conformance = listed(index);
    unsigned place = first_place(target(&conformance->protocol), type_of(conformance));
    while (table[place]) place = (place + 1) % places;
    table[place] = index + 1;
  }
  is_made = 1;
}

const void *swift_getWitnessTable(const struct conformance *, const void *type, const void *const *arguments);

// Sets the answer, 0 if the type does not conform. Returns false if the runtime has to find out.
static int find(const uintptr_t *type, const void *protocol, const void **answer) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_table);
  // Types of protocols conform to none; Error's, which is marked in these bits, conforms to itself.
  if (type[0] == 0x303 && !(type[1] >> 24 & 0x3F)) return *answer = 0, 1;
  // Structs, enums and optionals; their second word is the descriptor. Only those of C's types are not unique.
  if (!is_made || type[0] < 0x200 || type[0] > 0x202) return 0;
  const void *descriptor = (const void *)type[1];
  if (!(*(const uint32_t *)descriptor & 1 << 6)) return 0;
  const struct conformance *found = 0;
  for (unsigned place = first_place(protocol, descriptor); table[place]; place = (place + 1) % places) {
    const struct conformance *conformance = listed(table[place] - 1);
    if (target(&conformance->protocol) != protocol || type_of(conformance) != descriptor) continue;
    // Besides the kind of type: retroactive, with witnesses of another module, or with a table for each type.
    if (found || conformance->flags & ~(7u << 3 | 1u << 6 | 3u << 16)) return 0;
    found = conformance;
  }
  *answer = found ? swift_getWitnessTable(found, type, 0) : 0;
  return 1;
}

#define REPLACE(function, parameters, ...)                    \
  const void *__real_##function parameters;                   \
  const void *__wrap_##function parameters {                  \
    const void *answer;                                       \
    return find(type, protocol, &answer) ? answer : __real_##function(__VA_ARGS__); \
  }

REPLACE(swift_conformsToProtocol, (const void *type, const void *protocol), type, protocol)
REPLACE(swift_conformsToProtocolCommon, (const void *type, const void *protocol), type, protocol)
REPLACE(swift_conformsToProtocolWithExecutionContext, (const void *type, const void *protocol, void *context),
        type, protocol, context)
#endif
