# SPDX-License-Identifier: LGPL-2.1-or-later
"""A small machine of our own: another kernel, under qemu without hardware
virtualisation, with nothing in it but what a test puts there.

    machine = Machine(kernel, directory)
    machine.add_program('tracer', '/path/of/tracer')   # and its libraries
    machine.add_file('/x', 'text')
    machine.boot('commands for sh', timeout=120)

runs the commands with busybox in /out, and has the files that they made there
below machine.out afterwards; machine.console is what the kernel said.
"""

import os
import re
import shutil
import subprocess
import tarfile

QEMU = 'qemu-system-x86_64'

INIT = '''#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /tmp /out
mount -t tmpfs none /tmp
mount -t tmpfs none /out
echo 0 >/proc/sys/kernel/randomize_va_space
echo 4194304 >/proc/sys/kernel/pid_max
ip link set lo up
cd /out
sh /commands </dev/null >/out/stdout 2>/out/stderr
stty raw -F /dev/ttyS1
tar -cz -C /out . >/dev/ttyS1
sync
poweroff -f
'''


def lacking():
    """Why there can be no machine; None if there can."""
    for program, package in ((QEMU, 'qemu-system-x86'),
                             ('busybox', 'busybox-static')):
        if not shutil.which(program):
            return '%s is not installed (package %s)' % (program, package)
    if libraries(shutil.which('busybox')):
        return 'busybox is not static (package busybox-static)'
    return None


def libraries(path):
    """The shared libraries of a program, its loader included."""
    got = subprocess.run(['ldd', path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return re.findall(r'(?:=> |^\s+)(/\S+) \(0x', got.stdout.decode(), re.M)


class Archive:
    """A cpio archive of the kind that the kernel unpacks at boot."""

    def __init__(self, path):
        self.file = open(path, 'wb')
        self.known = {''}

    def pad(self):
        self.file.write(bytes(-self.file.tell() % 4))

    def entry(self, name, mode, content=b''):
        encoded = name.encode() + b'\0'
        fields = (0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0,
                  len(encoded), 0)
        self.file.write(b'070701' + b''.join(b'%08x' % f for f in fields)
                        + encoded)
        self.pad()
        self.file.write(content)
        self.pad()

    def parents(self, name):
        parent = os.path.dirname(name)
        if parent not in self.known:
            self.parents(parent)
            self.known.add(parent)
            self.entry(parent, 0o40755)

    def add(self, name, mode, content):
        name = name.lstrip('/')
        if name not in self.known:
            self.parents(name)
            self.known.add(name)
            self.entry(name, mode, content)

    def close(self):
        self.entry('TRAILER!!!', 0)
        self.file.close()


class Machine:
    def __init__(self, kernel, directory):
        self.kernel = kernel
        self.directory = directory
        self.out = os.path.join(directory, 'out')
        self.console = ''
        os.makedirs(self.out)
        self.initrd = os.path.join(directory, 'initrd')
        self.archive = Archive(self.initrd)
        self.add_program('/bin/busybox', shutil.which('busybox'))
        self.add_file('/init', INIT, 0o755)
        for name in 'proc', 'sys', 'dev':
            self.archive.add('/%s/.empty' % name, 0o100644, b'')

    def add_file(self, name, content, mode=0o644):
        if isinstance(content, str):
            content = content.encode()
        self.archive.add(name, 0o100000 | mode, content)

    def add_program(self, name, path):
        """A program under another name, its libraries under their own."""
        for source, target in [(path, name)] + [
                (library, library) for library in libraries(path)]:
            with open(source, 'rb') as file:
                self.add_file(target, file.read(), 0o755)

    def add_tree(self, name, path):
        for directory, subdirectories, files in os.walk(path):
            base = os.path.join(name, os.path.relpath(directory, path))
            for entry in files + subdirectories:
                source = os.path.join(directory, entry)
                target = os.path.normpath(os.path.join(base, entry))
                if os.path.islink(source):
                    self.archive.add(target, 0o120777,
                                     os.readlink(source).encode())
                elif os.path.isfile(source):
                    with open(source, 'rb') as file:
                        self.add_file(target, file.read(),
                                      os.stat(source).st_mode & 0o777)

    def boot(self, commands, parameters='', timeout=180):
        """Runs the commands; False if the machine did not come to its end."""
        self.add_file('/commands', commands)
        self.archive.close()
        console = os.path.join(self.directory, 'console')
        results = os.path.join(self.directory, 'results.tar.gz')
        command = [
            QEMU, '-M', 'q35,accel=tcg', '-cpu', 'max', '-m', '512',
            '-nodefaults', '-no-user-config', '-display', 'none',
            '-no-reboot', '-kernel', self.kernel, '-initrd', self.initrd,
            '-append', 'console=ttyS0 panic=-1 quiet loglevel=3 '
            'tsc=reliable no_timer_check audit=0 mitigations=off '
            + parameters,
            '-serial', 'file:' + console, '-serial', 'file:' + results]
        try:
            subprocess.run(command, timeout=timeout,
                           stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            pass
        with open(console, errors='replace') as file:
            self.console = file.read()
        try:
            with tarfile.open(results) as tar:
                tar.extractall(self.out)
        except (OSError, EOFError, tarfile.TarError):
            return False
        return True
