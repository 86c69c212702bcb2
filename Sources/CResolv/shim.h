// The system's resolver, which is in the C library since glibc 2.34. Its functions are macros, and its state has
// members that Swift can't read. Imported by DNSSD alone.
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

// A state of libresolv, which comes first, and how long it waits for each server and how often it asks.
struct patient_resolver {
  struct __res_state state;
  int retrans;
  int retry;
};

// A resolver as resolv.conf(5) says, for one thread; NULL: no memory. To be freed with resolver_close.
static inline void *resolver_open(void) {
  struct patient_resolver *patient = (struct patient_resolver *)calloc(1, sizeof *patient);
  struct __res_state *state = &patient->state;
  if (patient != NULL && res_ninit(state) != 0) {
    free(patient);
    return NULL;
  }
  if (patient != NULL) {
    // Answers of many records come by UDP where they fit into a packet of today's.
    state->options |= RES_USE_EDNS0;
    // An answer that doesn't is fetched by whoever asks, with a deadline; with resolv.conf's use-vc libresolv does it.
    state->options |= RES_IGNTC;
    // Nobody waits for a list as long as resolv.conf's 5 s twice for each server.
    patient->retrans = state->retrans > 2 ? 2 : state->retrans;
    patient->retry = state->retry > 2 ? 2 : state->retry;
  }
  return patient;
}

// Has the next questions wait a second for each server, and once; or as long as usual.
static inline void resolver_hurry(void *resolver, int is_quick) {
  struct patient_resolver *patient = (struct patient_resolver *)resolver;
  patient->state.retrans = is_quick ? 1 : patient->retrans;
  patient->state.retry = is_quick ? 1 : patient->retry;
}

static inline void resolver_close(void *resolver) {
  res_nclose((struct __res_state *)resolver);
  free(resolver);
}

// Asks for the records of one type of a name; blocks for seconds when no server answers. The answer's length, which
// may be more than `room`; or -1, and resolver_error says why.
static inline int resolver_ask(
  void *resolver, const char *name, int type, unsigned char *answer, int room) {
  return res_nquery((struct __res_state *)resolver, name, ns_c_in, type, answer, room);
}

// Writes a question as a message of its own. Its length; or -1.
static inline int resolver_query(void *resolver, const char *name, int type, unsigned char *query, int room) {
  return res_nmkquery((struct __res_state *)resolver, ns_o_query, name, ns_c_in, type, NULL, 0, NULL, query, room);
}

// The address of a server of resolv.conf, and its length; 0: there are no more.
static inline socklen_t resolver_server(void *resolver, int number, struct sockaddr_storage *address) {
  struct __res_state *state = (struct __res_state *)resolver;
  if (number >= state->nscount || number >= MAXNS) return 0;
  struct sockaddr_in6 *other = state->_u._ext.nsaddrs[number];
  // One of IPv6 has no place in the list.
  if (state->nsaddr_list[number].sin_family == 0 && other != NULL) {
    memcpy(address, other, sizeof *other);
    return sizeof *other;
  }
  memcpy(address, &state->nsaddr_list[number], sizeof state->nsaddr_list[number]);
  return sizeof state->nsaddr_list[number];
}

// Lets connect(2) and send(2) take no longer than that; 0, or -1.
static inline int resolver_limit(int descriptor, int milliseconds) {
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  return setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

// Makes the second server of resolv.conf the first, and the first the last. Each question begins with the first, and
// waits for it when it is dead.
static inline void resolver_rotate(void *resolver) {
  struct __res_state *state = (struct __res_state *)resolver;
  int last = state->nscount - 1;
  if (last < 1 || last >= MAXNS) return;
  struct sockaddr_in address = state->nsaddr_list[0];
  struct sockaddr_in6 *longAddress = state->_u._ext.nsaddrs[0];
  int connected = state->_u._ext.nssocks[0];
  for (int i = 0; i < last; i++) {
    state->nsaddr_list[i] = state->nsaddr_list[i + 1];
    state->_u._ext.nsaddrs[i] = state->_u._ext.nsaddrs[i + 1];
    state->_u._ext.nssocks[i] = state->_u._ext.nssocks[i + 1];
  }
  state->nsaddr_list[last] = address;
  state->_u._ext.nsaddrs[last] = longAddress;
  state->_u._ext.nssocks[last] = connected;
}

enum {
  resolver_no_name = HOST_NOT_FOUND,
  resolver_no_data = NO_DATA,
  resolver_no_answer = TRY_AGAIN,
};

static inline int resolver_error(void *resolver) {
  return ((struct __res_state *)resolver)->res_h_errno;
}

// A domain of the search list; NULL behind the last.
static inline const char *resolver_search_domain(void *resolver, int number) {
  return number < MAXDNSRCH ? ((struct __res_state *)resolver)->dnsrch[number] : NULL;
}
