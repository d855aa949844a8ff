#pragma once

/// How often memory was allocated in this process so far; always 0 where that cannot be counted.
unsigned long allocation_count(void);
