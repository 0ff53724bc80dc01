"""The rules of external data again where the kernel has no openat2, or where a
sandbox such as that of a container forbids it.
"""

import ctypes
import errno
import os
import struct
import unittest

import support
import test_external

# linux/prctl.h, linux/seccomp.h, linux/filter.h and the number of the system
# call, which is the same on all machines.
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2
RETURN_ALLOW, RETURN_ERRNO = 0x7FFF0000, 0x00050000
LOAD_NUMBER, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
OPENAT2 = 437


def refuse_openat2(number):
    """From now on openat2 fails with this errno, in this process."""
    filters = b"".join(struct.pack("<HBBI", *row) for row in (
        (LOAD_NUMBER, 0, 0, 0),
        (JUMP_EQUAL, 0, 1, OPENAT2),
        (RETURN, 0, 0, RETURN_ERRNO | number),
        (RETURN, 0, 0, RETURN_ALLOW)))
    buffer = ctypes.create_string_buffer(filters)
    program = struct.pack("<HxxxxxxQ", 4, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(
            PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    # An empty path: what the kernel says where the call gets through.
    if libc.syscall(OPENAT2, -1, b"", None, 0) != -1 or (
            ctypes.get_errno() != number):
        raise OSError(ctypes.get_errno(), "openat2")


class WithoutOpenat2(unittest.TestCase):
    def run_again(self, number):
        """The tests of test_external.py, in a child of this process."""
        child = os.fork()
        if child == 0:
            status = 2
            try:
                refuse_openat2(number)
                suite = unittest.defaultTestLoader.loadTestsFromModule(
                    test_external)
                result = unittest.TextTestRunner(
                    verbosity=0, resultclass=support.Result).run(suite)
                status = 0 if result.wasSuccessful() else 1
            except OSError as error:
                print(error, flush=True)
                status = 77
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        status = os.waitstatus_to_exitcode(status)
        if status == 77:
            self.skipTest("there is no filter of system calls")
        self.assertEqual(status, 0)

    def test_the_kernel_has_no_openat2(self):
        self.run_again(errno.ENOSYS)

    def test_a_sandbox_forbids_openat2(self):
        self.run_again(errno.EPERM)


if __name__ == "__main__":
    support.main()
