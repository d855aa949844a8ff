// epoll, eventfd and memfd, which Swift's Glibc module does not have. Linux only.
#ifndef CEPOLL_H
#define CEPOLL_H

typedef struct {
    int descriptor;
    int can_read;
    int can_write;
} cepoll_ready;

// Returns the descriptor of a new epoll set, or -1.
int cepoll_create(void);
// Adds a descriptor to an epoll set, or changes the events that it is registered for.
int cepoll_watch(int set, int descriptor, int reading, int writing);
int cepoll_unwatch(int set, int descriptor);
// Waits until a descriptor of the set is ready or the given number of milliseconds has passed; a negative number is no
// limit. Fills `ready` and returns the number of entries.
int cepoll_wait(int set, cepoll_ready *ready, int capacity, int milliseconds);

// Returns a new eventfd, or -1. Each signal makes cepoll_wait return for the set to which cepoll_watch_event added it.
int cepoll_event_create(void);
void cepoll_event_signal(int event);
int cepoll_watch_event(int set, int event_descriptor);

// Returns the descriptor, closed on exec, of a new file in memory; or -1, and sets errno.
int cepoll_memory_file(void);

// Names the calling thread, with at most 15 characters, and blocks all signals on it: writing to a connection that the
// server has closed raises SIGPIPE, which would end the process.
void cepoll_begin_thread(const char *name);

#endif
