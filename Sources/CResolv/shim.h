// The system's resolver, part of the C library since glibc 2.34. Its functions are macros, and its state has members
// that Swift can't read. Only DNSSD imports it.
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// The state of libresolv, which must be the first member, with the usual timeout per server and number of attempts.
struct patient_resolver {
  struct __res_state state;
  int retrans;
  int retry;
};

// Creates a resolver for one thread, configured by resolv.conf(5); NULL if there is no memory. Free it with
// resolver_close.
static inline void *resolver_open(void) {
  struct patient_resolver *patient = (struct patient_resolver *)calloc(1, sizeof *patient);
  struct __res_state *state = &patient->state;
  if (patient != NULL && res_ninit(state) != 0) {
    free(patient);
    return NULL;
  }
  if (patient != NULL) {
    // Answers with many records are sent over UDP if they fit into a packet of today's size.
    state->options |= RES_USE_EDNS0;
    // Truncated answers are fetched over TCP by the caller, with a deadline; with resolv.conf's use-vc, libresolv
    // does it.
    state->options |= RES_IGNTC;
    // resolv.conf's default of 5 s, twice for each server, is too long for a list.
    patient->retrans = state->retrans > 2 ? 2 : state->retrans;
    patient->retry = state->retry > 2 ? 2 : state->retry;
  }
  return patient;
}

// Limits the next queries to one second per server and one attempt; or restores the usual limits.
static inline void resolver_hurry(void *resolver, int is_quick) {
  struct patient_resolver *patient = (struct patient_resolver *)resolver;
  patient->state.retrans = is_quick ? 1 : patient->retrans;
  patient->state.retry = is_quick ? 1 : patient->retry;
}

static inline void resolver_close(void *resolver) {
  res_nclose((struct __res_state *)resolver);
  free(resolver);
}

// Queries the records of one type of a name; blocks for seconds if no server answers. Returns the answer's length,
// which may exceed `room`; or -1, and resolver_error has the reason.
static inline int resolver_ask(
  void *resolver, const char *name, int type, unsigned char *answer, int room) {
  return res_nquery((struct __res_state *)resolver, name, ns_c_in, type, answer, room);
}

// Copies the address of a server in resolv.conf. Returns its length; 0 if there are no more.
static inline socklen_t resolver_server(void *resolver, int number, struct sockaddr_storage *address) {
  struct __res_state *state = (struct __res_state *)resolver;
  if (number >= state->nscount || number >= MAXNS) return 0;
  struct sockaddr_in6 *other = state->_u._ext.nsaddrs[number];
  // An IPv6 address does not fit into the list.
  if (state->nsaddr_list[number].sin_family == 0 && other != NULL) {
    memcpy(address, other, sizeof *other);
    return sizeof *other;
  }
  memcpy(address, &state->nsaddr_list[number], sizeof state->nsaddr_list[number]);
  return sizeof state->nsaddr_list[number];
}

// Makes resolv.conf's second server the first, and the first the last. Every query starts with the first server, and
// waits for it if it is dead.
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

// Returns a domain of the search list; NULL after the last.
static inline const char *resolver_search_domain(void *resolver, int number) {
  return number < MAXDNSRCH ? ((struct __res_state *)resolver)->dnsrch[number] : NULL;
}
