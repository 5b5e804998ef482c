"""Runs a command that may open only sockets of these families, like systemd's RestrictAddressFamilies=:

    python3 only-families.py AF_INET,AF_UNIX node server.js

Linux on x86-64 and arm64. Other families fail with EAFNOSUPPORT.
"""

import ctypes
import os
import platform
import socket
import struct
import sys

SOCKET_CALL = {"x86_64": 41, "aarch64": 198}[platform.machine()]
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
CALL_NUMBER, FIRST_ARGUMENT = 0, 16
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 97


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def filter_of(families):
    """A jump to the end counts the instructions in between: the other families, and the refusal."""
    count = len(families)
    return b"".join(
        [
            instruction(LOAD_WORD, CALL_NUMBER),
            instruction(JUMP_IF_EQUAL, SOCKET_CALL, 0, count + 2),
            instruction(LOAD_WORD, FIRST_ARGUMENT),
            *(instruction(JUMP_IF_EQUAL, family, count - place, 0) for place, family in enumerate(families)),
            instruction(RETURN, REFUSE),
            instruction(RETURN, ALLOW),
        ]
    )


def main():
    families = [int(getattr(socket, name)) for name in sys.argv[1].split(",")]
    code = filter_of(families)
    program = Program(len(code) // 8, code)
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        sys.exit("no_new_privs was refused")
    if prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        sys.exit("the filter was refused")
    os.execvp(sys.argv[2], sys.argv[2:])


main()
