#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/refresh-facts on the headers and sources of a kernel that is made up.

The layouts that are expected were worked out by the rules of the ABIs.
"""

import os
import subprocess
import sys
import tempfile

from tap import done, is_eq, like, ok, skip_all, unlike, TOP_SRCDIR

DEMO_H = """\
#ifndef _LINUX_DEMO_H
#define _LINUX_DEMO_H
#include <asm/demo.h>

#define DEMO_ONE	1
#define DEMO_NEW	(DEMO_ONE + 1)	/* between two old ones */
#define DEMO_BITS	(1U << 31)
#define DEMO_CHANGED	0x20
#define DEMO_MINUS	(-5)
#define DEMO_LONG	(~0UL)
#define DEMO_TEXT	"no number"
#define DEMO_FLOAT	1.5
#define DEMO_TYPE	struct demo
#define DEMO_OF(x)	((x) + 1)
#define DEMO_CHAR	'x'
#define DEMO_UNDEFINED	7
#undef DEMO_UNDEFINED
#define DEMO_SIZE	sizeof(struct demo)
#ifdef __i386__
#define DEMO_32		32
#endif
#ifndef __ILP32__
#define DEMO_64		64
#endif

enum demo_kind {
	DEMO_KIND_A,
	DEMO_KIND_B = 0x10,
	DEMO_KIND_C,
};

struct demo {
	char first;
	unsigned long long wide;
	long word;
	void *pointer;
	union {
		int left;
		struct {
			short low, high;
		} right;
	};
	struct {
		unsigned char byte;
	} pair[2];
	unsigned int flag : 1, rest : 31;
	int tail[];
};

typedef union {
	int number;
	char bytes[6];
} demo_t;

#define DEMO_GET	_IOR('d', 1, struct demo)
#define DEMO_GO		_IO('d', 2)
#define DEMO_SAME	DEMO_GET
#endif
"""

OLD_FACTS = {
    "constants.tsv": """\
header	name	value	i386	x32
linux/demo.h	DEMO_ONE	1
linux/demo.h	DEMO_GONE	9
linux/demo.h	DEMO_CHANGED	0x10
linux/other.h	OTHER	3
include/linux/inner.h	IN_ONE	1
""",
    "structs.tsv": """\
struct	field	type	x86_64	i386	x32
demo_t	.	union linux/demo.h	0+8
demo_t	number	int	0+4s
demo_t	bytes	char	0+5*5s
struct other	.	struct linux/other.h	0+4
struct other	x	int	0+4s
""",
    "ioctls.tsv": """\
header	name	value	i386	x32	dir	type	nr	size	arg	kind	src
linux/demo.h	DEMO_GO	0x6402	=	=	none	0x64	2	0	-	ioc	uapi
""",
    "syscalls.tsv": """\
arch	nr	name	nargs	entry
x86_64	0	read	3	sys_read
i386	3	read	3	sys_read
x32	0	read	3	sys_read
""",
    "syscall_args.tsv": """\
name	position	type	argname	entry	archs
read	1	unsigned int	fd	sys_read	all
read	2	char __user *	buf	sys_read	all
read	3	size_t	count	sys_read	all
""",
}

NEW_CONSTANTS = """\
header	name	value	i386	x32
asm/demo.h	ARCH_DEMO	0x4000
linux/demo.h	DEMO_ONE	1
linux/demo.h	DEMO_NEW	2
linux/demo.h	DEMO_BITS	0x80000000
linux/demo.h	DEMO_GONE	9
linux/demo.h	DEMO_CHANGED	0x20
linux/demo.h	DEMO_MINUS	-5
linux/demo.h	DEMO_LONG	0xffffffffffffffff	0xffffffff	0xffffffff
linux/demo.h	DEMO_CHAR	120
linux/demo.h	DEMO_SIZE	0x30	0x20	0x28
linux/demo.h	DEMO_32	-	32	=
linux/demo.h	DEMO_64	64	-	-
linux/demo.h	DEMO_KIND_A	0
linux/demo.h	DEMO_KIND_B	0x10
linux/demo.h	DEMO_KIND_C	17
linux/demo.h	DEMO_GET	0x80306401	0x80206401	0x80286401
linux/demo.h	DEMO_GO	0x6402
linux/demo.h	DEMO_SAME	0x80306401	0x80206401	0x80286401
linux/other.h	OTHER	3
include/linux/inner.h	IN_ONE	1
include/linux/inner.h	IN_TWO	0x2
include/linux/inner.h	IN_THREE	3
"""

NEW_STRUCTS = """\
struct	field	type	x86_64	i386	x32
demo_t	.	union linux/demo.h	0+8
demo_t	number	int	0+4s
demo_t	bytes	char	0+6*6s
struct demo	.	struct linux/demo.h	0+48	0+32	0+40
struct demo	first	char	0+1s
struct demo	wide	long long unsigned int	8+8u	4+8u	=
struct demo	word	long int	16+8s	12+4s	16+4s
struct demo	pointer	void *	24+8p	16+4p	20+4p
struct demo	left	int	32+4s	20+4s	24+4s
struct demo	right	struct {}	32+4	20+4	24+4
struct demo	right.low	short int	32+2s	20+2s	24+2s
struct demo	right.high	short int	34+2s	22+2s	26+2s
struct demo	pair	struct {}	36+2*2	24+2*2	28+2*2
struct demo	pair[].byte	unsigned char	36+1u	24+1u	28+1u
struct demo	flag	unsigned int	38+4u:304:1	26+4u:208:1	30+4u:240:1
struct demo	rest	unsigned int	40+4u:320:31	28+4u:224:31	32+4u:256:31
struct demo	tail	int	44+0*0s	32+0*0s	36+0*0s
struct other	.	struct linux/other.h	0+4
struct other	x	int	0+4s
"""

NEW_IOCTLS = """\
header	name	value	i386	x32	dir	type	nr	size	arg	kind	src
linux/demo.h	DEMO_GO	0x6402	=	=	none	0x64	2	0	-	ioc	uapi
linux/demo.h	DEMO_GET	0x80306401	0x80206401	0x80286401	R	0x64	1	48	\
struct demo	ioc	uapi
linux/demo.h	DEMO_SAME	0x80306401	0x80206401	0x80286401	R	0x64	1	\
48	-	ioc	uapi
"""

NEW_SYSCALLS = """\
arch	nr	name	nargs	entry
x86_64	0	read	3	sys_read
x86_64	1	demo	2	sys_demo
i386	3	read	3	sys_read
i386	4	demo	3	sys_demo
x32	0	read	3	sys_read
x32	1	demo	2	sys_demo
"""

NEW_ARGS = """\
name	position	type	argname	entry	archs
demo	1	int	fd	sys_demo	all
demo	2	loff_t	pos	sys_demo	all
read	1	unsigned int	fd	sys_read	all
read	2	char __user *	buf	sys_read	all
read	3	size_t	count	sys_read	all
"""

KERNEL = {
    "arch/x86/entry/syscalls/syscall_64.tbl":
        "# numbers\n0\tcommon\tread\t\tsys_read\n"
        "1\tcommon\tdemo\tsys_demo\n2\tcommon\tmystery\tsys_mystery\n",
    "arch/x86/entry/syscalls/syscall_32.tbl":
        "3\ti386\tread\tsys_read\n4\ti386\tdemo\tsys_demo\n",
    "include/linux/syscalls.h":
        "asmlinkage long sys_read(unsigned int fd, char __user *buf,\n"
        "\t\t\tsize_t count);\n"
        "asmlinkage long sys_demo(int, loff_t);\n",
    "include/linux/inner.h":
        "#include <linux/nowhere.h>\n#define IN_ONE 1\n"
        "#define IN_TWO \\\n\t(1 << IN_ONE)\n#define OUT_ONE 1\n"
        "struct inner { no_such_type x; };\n"
        "static inline int inner(void) { return IN_ONE; }\n"
        "enum inner_numbers {\n\tIN_THREE = 3,\n};\n",
    "fs/demo.c":
        "SYSCALL_DEFINE2(demo, int, fd, loff_t, pos)\n{\n\treturn 0;\n}\n",
}


def write_tree(directory, files):
    for name, text in files.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)


def read(directory, name):
    with open(os.path.join(directory, name), encoding="ascii") as file:
        return file.read()


def refresh(top, *arguments):
    return subprocess.run(
        [sys.executable, os.path.join(TOP_SRCDIR, "tools", "refresh-facts"),
         "--facts=" + os.path.join(top, "facts"), "--jobs=1", *arguments,
         os.path.join(top, "include")],
        capture_output=True, text=True, check=False)


def usable():
    """Whether there is a gcc that makes objects for all three ABIs."""
    for flag in ("-m64", "-m32", "-mx32"):
        try:
            run = subprocess.run(
                ["gcc", flag, "-c", "-xc", "-o", "/dev/null", "/dev/null"],
                capture_output=True, check=False)
            subprocess.run(["readelf", "--version"], capture_output=True,
                           check=True)
        except OSError:
            return False
        if run.returncode:
            return False
    return True


def check(top):
    facts = os.path.join(top, "facts")
    write_tree(facts, OLD_FACTS)
    write_tree(os.path.join(top, "include"), {
        "linux/demo.h": DEMO_H,
        "linux/broken.h": "#error this needs something else\n",
        "asm/demo.h": "#define ARCH_DEMO 0x4000\n",
    })
    write_tree(os.path.join(top, "kernel"), KERNEL)
    kernel = "--kernel=" + os.path.join(top, "kernel")

    run = refresh(top, kernel, "--dry-run")
    is_eq((run.returncode, run.stderr), (0, ""), "a dry run succeeds")
    is_eq(read(facts, "constants.tsv"), OLD_FACTS["constants.tsv"],
          "and leaves the tables alone")

    run = refresh(top, kernel)
    is_eq((run.returncode, run.stderr), (0, ""), "a real run succeeds")
    is_eq(read(facts, "constants.tsv"), NEW_CONSTANTS, "constants")
    is_eq(read(facts, "structs.tsv"), NEW_STRUCTS, "structures")
    is_eq(read(facts, "ioctls.tsv"), NEW_IOCTLS, "ioctl commands")
    is_eq(read(facts, "syscalls.tsv"), NEW_SYSCALLS, "system calls")
    is_eq(read(facts, "syscall_args.tsv"), NEW_ARGS, "and their arguments")
    for pattern, what in (
            (r"^constants\.tsv: \+ linux/demo\.h DEMO_NEW 2$", "added"),
            (r"^constants\.tsv: ~ linux/demo\.h DEMO_CHANGED 0x10 -> 0x20$",
             "changed"),
            (r"^constants\.tsv: - linux/demo\.h DEMO_GONE$", "gone"),
            (r"^structs\.tsv: ~ linux/demo\.h demo_t$",
             "a changed structure"),
            (r"^syscalls\.tsv: \? x86_64 2 mystery: no prototype$",
             "a call that nothing is known of"),
            (r"^not compiled: linux/broken\.h$", "a broken header"),
            (r"^constants\.tsv: 17 added, 1 changed, 1 no longer there",
             "a summary")):
        like(run.stdout, pattern, "the report tells: " + what)

    run = refresh(top, kernel)
    unlike(run.stdout, r": [+~] ", "a second run finds nothing new")
    is_eq(read(facts, "structs.tsv"), NEW_STRUCTS, "and changes nothing")
    ok(not os.path.exists(os.path.join(facts, "structs.tsv.new")),
       "nothing is left over")


if not usable():
    skip_all("no gcc that compiles for x86-64, i386 and x32")
with tempfile.TemporaryDirectory() as directory:
    check(directory)
done()
