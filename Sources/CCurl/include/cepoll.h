// epoll, eventfd and memfd, which Swift's Glibc module does not have. Linux only.
#ifndef CEPOLL_H
#define CEPOLL_H

#include <stddef.h>

typedef struct {
    int descriptor;
    int can_read;
    int can_write;
    int has_failed;
} cepoll_ready;

// Returns an epoll descriptor, or -1.
int cepoll_create(void);
// Adds a descriptor, or changes its events.
int cepoll_watch(int set, int descriptor, int reading, int writing);
int cepoll_unwatch(int set, int descriptor);
// Waits for the given number of milliseconds at most, without a limit if negative. Fills `ready` and returns the number
// of entries.
int cepoll_wait(int set, cepoll_ready *ready, int capacity, int milliseconds);

// Returns an eventfd, or -1. Each signal makes cepoll_wait of the set that watches it return.
int cepoll_event_create(void);
void cepoll_event_signal(int event);
int cepoll_watch_event(int set, int event_descriptor);

// Returns a descriptor of a file in memory with that content, which is closed on exec; or -1, with errno.
int cepoll_memory_file(const void *content, size_t length);

// Sets the name of this thread, at most 15 characters.
void cepoll_set_thread_name(const char *name);

// Blocks all signals on this thread, SIGPIPE among them.
void cepoll_block_signals(void);

#endif
