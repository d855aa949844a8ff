#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cepoll.h"

#ifdef __linux__
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cepoll_watch(int set, int descriptor, int reading, int writing) {
    struct epoll_event event = {.events = (reading ? EPOLLIN : 0) | (writing ? EPOLLOUT : 0)};
    event.data.fd = descriptor;
    if (epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    return errno == ENOENT ? epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) : -1;
}

int cepoll_unwatch(int set, int descriptor) { return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL); }

int cepoll_wait(int set, cepoll_ready *ready, int capacity, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, capacity < 64 ? capacity : 64, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].descriptor = events[index].data.fd;
        // While a connection is being reset, there may be an error alone. Reading returns it.
        ready[index].can_read = (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
        ready[index].can_write = (events[index].events & EPOLLOUT) != 0;
    }
    return count;
}

int cepoll_event_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
void cepoll_event_signal(int event) { eventfd_write(event, 1); }

// The event is edge-triggered: epoll reports each write once, and the counter of the eventfd need not be read.
int cepoll_watch_event(int set, int event_descriptor) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = event_descriptor};
    return epoll_ctl(set, EPOLL_CTL_ADD, event_descriptor, &event);
}

int cepoll_memory_file(void) { return memfd_create("moya", MFD_CLOEXEC); }

void cepoll_begin_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}
#endif
