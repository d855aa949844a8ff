#pragma once

/// How often memory was allocated in this process so far; always 0 where that cannot be counted.
unsigned long allocation_count(void);

/// The bytes that are allocated in this process now; always 0 where that is not known.
unsigned long allocated_bytes(void);

/// Puts in order what was freed, so that the next one does not pay for what the one before has left.
void tidy_allocations(void);
