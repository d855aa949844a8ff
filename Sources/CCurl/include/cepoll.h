// Waiting for sockets and for a bell, and files in memory: epoll, eventfd and memfd, which Swift's Glibc module does not
// have. Linux only.
#ifndef CEPOLL_H
#define CEPOLL_H

#include <stddef.h>

typedef struct {
    int descriptor;
    int can_read;
    int can_write;
    int has_failed;
} cepoll_ready;

// A set of descriptors, or -1.
int cepoll_create(void);
// Adds a descriptor, or changes what is waited for.
int cepoll_watch(int set, int descriptor, int reading, int writing);
int cepoll_forget(int set, int descriptor);
// Fills `ready` and returns how many; waits for at most so many milliseconds, for ever if negative.
int cepoll_wait(int set, cepoll_ready *ready, int capacity, int milliseconds);

// A descriptor that ends the waiting of the set that watches it, once for each signal; or -1.
int cepoll_bell_create(void);
void cepoll_bell_signal(int bell);
int cepoll_watch_bell(int set, int bell);

// A descriptor of a file with that content that is nowhere but in memory, and not handed on to other programs; or -1, with
// errno.
int cepoll_memory_file(const void *content, size_t length);

// Keeps signals, SIGPIPE among them, from being delivered to this thread.
void cepoll_block_signals(void);

#endif
