"""Walls around a process that runs a stranger's code: Linux namespaces, or another user.

Inside namespaces an answer has processes, a network and a view of the files of its own: all it sees
can be read but not written, apart from one folder in memory; folders that it must not see are empty;
when its first process ends, the kernel ends all that it left behind (`man 7 namespaces`). Where a
system does not permit them, and we are root, the answer runs as a user who owns nothing.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

import lib

NOBODY = 61_234  # a user that no system has
QUOTA = 256 * 1024**2  # bytes that an answer may write
DEVICES = ("null", "zero", "full", "random", "urandom")
# Where everybody writes, and where the sockets of services are.
OF_ALL = tuple(os.path.join("/", *parts) for parts in (("tmp",), ("var", "tmp"), ("run",)))

# <linux/sched.h>, <linux/mount.h>, <linux/prctl.h>, <linux/capability.h>
_NEW_MOUNTS, _NEW_UTS, _NEW_IPC, _NEW_USER = 0x20000, 0x4000000, 0x8000000, 0x10000000
_NEW_PROCESSES, _NEW_NETWORK = 0x20000000, 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 1, 2, 4, 0x1000, 0x4000, 0x40000
_PARENT_DEATH_SIGNAL, _DROP_BOUNDING, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 24, 36, 38
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_CAPABILITIES_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def unshare() -> None:
    """Leave the machine's namespaces; the next process that is forked is the first of the new ones.

    Only for a process of one thread. OSError where the system does not permit it.
    """
    user, group = os.getuid(), os.getgid()
    _call(
        _libc.unshare,
        _NEW_USER | _NEW_MOUNTS | _NEW_PROCESSES | _NEW_NETWORK | _NEW_IPC | _NEW_UTS,
    )
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def close_off(folder: str, hidden: Iterable[str]) -> None:
    """Nothing can be written outside `folder`, and nothing in `hidden` be seen, from now on.

    For the first process after `unshare`. `folder` is empty, and in memory. OSError where it cannot be.
    """
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    devices = [(name, os.open(f"/dev/{name}", os.O_PATH)) for name in DEVICES]
    _change_mount("/", _READ_ONLY | _NO_SUID | _NO_DEVICES, 0, _AT_RECURSIVE)
    _mount("proc", "/proc", "proc", _READ_ONLY | _NO_SUID | _NO_DEVICES)
    for place in (*OF_ALL, *hidden):
        if os.path.isdir(place) and not os.path.islink(place):
            _hide(place)
    _mount("tmpfs", "/dev", "tmpfs", _NO_SUID, "mode=755,size=64m")
    os.mkdir("/dev/shm")
    os.symlink("/proc/self/fd", "/dev/fd")
    for name, device in devices:
        Path("/dev", name).touch()
        _bind(device, f"/dev/{name}")
        _change_mount(f"/dev/{name}", 0, _NO_DEVICES, 0)
    os.makedirs(folder, exist_ok=True)
    _mount("tmpfs", folder, "tmpfs", _NO_SUID | _NO_DEVICES, f"mode=700,size={QUOTA}")


def drop_privileges() -> None:
    """Give up every capability, for good: mounts stay as they are, and nothing gives them back."""
    _call(_libc.prctl, _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    for capability in range(64):
        if _libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0) != 0:
            break  # there are no more
    header = struct.pack("Ii", _CAPABILITIES_3, 0)
    _call(_libc.capset, header, struct.pack("6I", *[0] * 6))


def become_nobody(folder: str) -> None:
    """Go on as a user who owns nothing but `folder`. OSError if we may not, or Python cannot be read then."""
    os.chown(folder, NOBODY, NOBODY)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    for place in _needed():
        os.listdir(place)
    Path(lib.__file__).read_bytes()


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    _call(_libc.prctl, _PARENT_DEATH_SIGNAL, 9, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every process below this one whose own parent ends, daemons included."""
    _call(_libc.prctl, _SUBREAPER, 1, 0, 0, 0)


def limit(seconds: float) -> None:
    """Bounds that the kernel keeps for each process, should whoever watches it be gone."""
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, QUOTA),
        (resource.RLIMIT_CPU, int(seconds) + 60),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _needed() -> list[str]:
    """The folders that Python and the course are read from."""
    places = {str(lib.root), sys.prefix, sys.base_prefix, *filter(os.path.isdir, sys.path)}
    return sorted(map(os.path.realpath, places))


def _hide(place: str) -> None:
    """Lay an empty folder over a place; what Python needs of it comes back."""
    place = os.path.realpath(place)
    kept = [path for path in _needed() if path.startswith(os.path.join(place, ""))]
    kept = [path for path in kept if not any(path.startswith(other + "/") for other in kept)]
    opened = [os.open(path, os.O_PATH) for path in kept]
    _mount("tmpfs", place, "tmpfs", _NO_SUID | _NO_DEVICES, "mode=1777,size=16m")
    for path, source in zip(kept, opened, strict=True):
        os.makedirs(path)
        _bind(source, path)


def _bind(source: int, target: str) -> None:
    """Show at `target` what an open descriptor stands for."""
    _mount(f"/proc/self/fd/{source}", target, "", _BIND | _RECURSIVE)
    os.close(source)


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    where = os.fsencode(target)
    _call(_libc.mount, source.encode(), where, kind.encode(), ctypes.c_ulong(flags), options.encode())


def _change_mount(target: str, add: int, take: int, how: int) -> None:
    attributes = struct.pack("4Q", add, take, 0, 0)
    _call(_libc.syscall, _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), how, attributes, len(attributes))


def _call(function: object, *arguments: object) -> None:
    """Call the C library; OSError if it says so."""
    assert callable(function)
    if function(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
