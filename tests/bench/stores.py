"""Bare stores to fresh memory by all processors, without the library."""

import concurrent.futures
import ctypes
import mmap
import os

HUGE_PAGE = 2 << 20
PIECE = 1 << 20  # too little for memset to go past the cache
BYTE = 1


class Stores:
    def __init__(self, size):
        self.size = size
        count = len(os.sched_getaffinity(0))
        self.pool = concurrent.futures.ThreadPoolExecutor(count)
        share = -(-size // count)
        self.shares = [(begin, min(begin + share, size))
                       for begin in range(0, size, share)]

    @staticmethod
    def store(address, begin, end):
        for at in range(begin, end, PIECE):
            # Other threads run meanwhile.
            ctypes.memset(address + at, BYTE, min(PIECE, end - at))

    def run(self):
        """The memory, and the bytes that were stored, on huge pages where the
        machine has them."""
        # Shared memory, Python's default, has no huge pages.
        block = mmap.mmap(-1, self.size + HUGE_PAGE,
                          flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        block.madvise(mmap.MADV_HUGEPAGE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(block))
        begin = -base % HUGE_PAGE
        done = [self.pool.submit(self.store, base + begin, *share)
                for share in self.shares]
        for one in done:
            one.result()
        return block, memoryview(block)[begin:begin + self.size]
