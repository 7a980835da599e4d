/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is behind descriptors: the test looks at its own.
 */
#include "procinfo.h"
#include "check.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static struct procinfo info;
static char dir[] = "/tmp/tracer-test-XXXXXX";

static void look(unsigned decode_fds)
{
	procinfo_init(&info, getpid(), decode_fds, true);
}

/* "PATH|DETAILS", and "|deleted" if it is; "-" for what is missing. */
static const char *target(int fd)
{
	static char text[8192];
	const struct fd_target *t =
		info.inspector.fd_target(&info.inspector, fd);

	if (!t)
		return "nothing";
	snprintf(text, sizeof(text), "%s|%s%s", t->path ? t->path : "-",
		 t->details ? t->details : "-", t->deleted ? "|deleted" : "");
	return text;
}

/* A child has the same descriptors, but those opened since. */
static void check_target_of(int pid)
{
	const struct fd_target *t =
		info.inspector.fd_target_of(&info.inspector, pid, 999);

	OK(!t, "a descriptor that another process does not have");
	t = info.inspector.fd_target_of(&info.inspector, getpid(), 0);
	OK(t && (t->path || t->details), "a descriptor of another process");
	OK(!info.inspector.pid_of(&info.inspector, 0),
	   "no process behind another descriptor");
}

__attribute__((format(printf, 1, 2)))
static const char *text(const char *format, ...)
{
	static char buf[8192];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	return buf;
}

static unsigned long inode(int fd)
{
	struct stat st;

	fstat(fd, &st);
	return st.st_ino;
}

static void check_files(void)
{
	char name[64], other[64];
	int fd, named, linked;

	look(DECODE_FDS_PATH);
	snprintf(name, sizeof(name), "%s/a <b>\n", dir);
	fd = open(name, O_RDWR | O_CREAT, 0600);
	IS_STR(target(fd), text("%s|-", name), "a file, without escapes");
	unlink(name);
	IS_STR(target(fd), text("%s|-|deleted", name), "a deleted file");
	close(fd);
	IS_STR(target(fd), "nothing", "a closed descriptor");
	IS_STR(target(-1), "nothing", "no descriptor");

	snprintf(name, sizeof(name), "%s/x (deleted)", dir);
	named = open(name, O_RDWR | O_CREAT, 0600);
	IS_STR(target(named), text("%s|-", name),
	       "a file with a name as if it were deleted");
	unlink(name);
	IS_STR(target(named), text("%s|-|deleted", name), "if it is deleted");
	close(named);

	snprintf(name, sizeof(name), "%s/one", dir);
	snprintf(other, sizeof(other), "%s/two", dir);
	linked = open(name, O_RDWR | O_CREAT, 0600);
	if (link(name, other) == 0) {
		unlink(name);
		IS_STR(target(linked), text("%s|-|deleted", name),
		       "the name is deleted, but the file has another one");
		unlink(other);
	}
	close(linked);

	fd = open(dir, O_RDONLY | O_DIRECTORY);
	IS_STR(target(fd), text("%s|-", dir), "a directory");
	close(fd);
	fd = memfd_create("m", 0);
	IS_STR(target(fd), "/memfd:m|-|deleted", "a memfd");
	close(fd);
}

static void check_devices(void)
{
	int null = open("/dev/null", O_RDONLY);
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	unsigned number;

	look(DECODE_FDS_PATH);
	IS_STR(target(null), "/dev/null|-", "a device is a file");
	look(DECODE_FDS_DEV);
	IS_STR(target(null), "/dev/null|char 1:3", "and its number");
	if (terminal >= 0 && ioctl(terminal, TIOCGPTN, &number) == 0 &&
	    !strncmp(target(terminal), "/dev/ptmx|", 10))
		IS_STR(target(terminal),
		       text("/dev/ptmx|char 5:2 @/dev/pts/%u", number),
		       "the master of a pseudo-terminal");
	else
		check_skip("the master of a pseudo-terminal",
			   "there is no /dev/ptmx");
	close(null);
	close(terminal);
}

static void check_anonymous(void)
{
	const char *got;
	char comm[16];
	int fd, pipes[2];
	sigset_t set;
	pid_t child;

	look(DECODE_FDS_PATH);
	if (pipe(pipes) < 0)
		return;
	IS_STR(target(pipes[0]), text("pipe:[%lu]|-", inode(pipes[0])),
	       "a pipe");
	close(pipes[0]);
	close(pipes[1]);
	fd = epoll_create1(0);
	IS_STR(target(fd), "anon_inode:[eventpoll]|-", "an epoll descriptor");
	close(fd);

	fd = eventfd(31, EFD_SEMAPHORE);
	IS_STR(target(fd), "anon_inode:[eventfd]|-", "an eventfd's name");
	look(DECODE_FDS_EVENTFD);
	got = target(fd);
	OK(!strncmp(got, "-|{eventfd-count=0x1f, eventfd-id=", 34),
	   "an eventfd: %s", got);
	close(fd);
	fd = eventfd(0, 0);
	got = target(fd);
	OK(!strncmp(got, "-|{eventfd-count=0, eventfd-id=", 31),
	   "an eventfd of 0: %s", got);
	look(DECODE_FDS_ALL & ~DECODE_FDS_EVENTFD);
	IS_STR(target(fd), "anon_inode:[eventfd]|-", "only others asked for");
	close(fd);

	look(DECODE_FDS_SIGNALFD);
	sigemptyset(&set);
	fd = signalfd(-1, &set, 0);
	IS_STR(target(fd), "-|signalfd:[]", "a signalfd of no signal");
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, 40);
	signalfd(fd, &set, 0);
	IS_STR(target(fd), "-|signalfd:[INT CHLD RT_8]", "of some");
	sigfillset(&set);
	sigdelset(&set, SIGINT);
	signalfd(fd, &set, 0);
	/* the C library keeps two signals for itself */
	IS_STR(target(fd), "-|signalfd:~[INT KILL STOP RTMIN RT_1]",
	       "of nearly all");
	close(fd);

	look(DECODE_FDS_PATH | DECODE_FDS_PIDFD);
	child = fork();
	if (child == 0)
		_exit(0);
	fd = syscall(SYS_pidfd_open, child, 0);
	if (fd < 0) {
		check_skip("a pidfd", "the kernel has none");
		waitpid(child, NULL, 0);
		return;
	}
	info.decode_pids = false;
	IS_STR(target(fd), text("-|pid:%d", child), "a pidfd");
	OK(info.inspector.pid_of(&info.inspector, fd) == child,
	   "the process behind a pidfd");
	check_target_of(child);
	info.decode_pids = true;
	prctl(PR_GET_NAME, comm);
	IS_STR(target(fd), text("-|pid:%d<%s>", child, comm),
	       "with the name of the process");
	waitpid(child, NULL, 0);
	IS_STR(target(fd), "anon_inode:[pidfd]|-", "of a process that was");
	close(fd);
}

/* ---- sockets ---- */

static union {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_nl nl;
	struct sockaddr_un un;
} addr;

static int bind_to_loopback(int family, int type, int number)
{
	int fd = socket(family, type, number);
	socklen_t len = family == AF_INET ? sizeof(addr.in)
					  : sizeof(addr.in6);

	memset(&addr, 0, sizeof(addr));
	addr.any.sa_family = family;
	if (family == AF_INET)
		addr.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		addr.in6.sin6_addr = in6addr_loopback;
	if (fd >= 0 && (bind(fd, &addr.any, len) < 0 ||
			(type == SOCK_STREAM && listen(fd, 1) < 0) ||
			getsockname(fd, &addr.any, &len) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

static unsigned port(void)
{
	return ntohs(addr.any.sa_family == AF_INET ? addr.in.sin_port
						   : addr.in6.sin6_port);
}

static void check_inet(int family, int type, int number,
		       const char *protocol, const char *host)
{
	socklen_t len = family == AF_INET ? sizeof(addr.in)
					  : sizeof(addr.in6);
	int server, client;
	unsigned server_port;

	client = socket(family, type, number);
	if (client < 0) {
		check_skip(protocol, "there is no such protocol");
		return;
	}
	IS_STR(target(client),
	       text("-|%s:[%lu]", protocol, inode(client)),
	       "%s without an address", protocol);
	server = bind_to_loopback(family, type, number);
	if (server < 0) {
		check_skip(protocol, "there is no loopback address");
		close(client);
		return;
	}
	server_port = port();
	IS_STR(target(server),
	       text("-|%s:[%s:%u]", protocol, host, server_port),
	       "%s with an address", protocol);
	if (connect(client, &addr.any, len) == 0 &&
	    getsockname(client, &addr.any, &len) == 0)
		IS_STR(target(client),
		       text("-|%s:[%s:%u->%s:%u]", protocol, host, port(),
			    host, server_port),
		       "%s, connected", protocol);
	close(client);
	close(server);
}

static void check_unix(void)
{
	int pair[2], fd, client, peer;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) {
		IS_STR(target(pair[0]), text("-|UNIX:[%lu->%lu]",
					     inode(pair[0]), inode(pair[1])),
		       "a pair of UNIX sockets");
		close(pair[0]);
		close(pair[1]);
	}
	memset(&addr, 0, sizeof(addr));
	addr.un.sun_family = AF_UNIX;
	snprintf(addr.un.sun_path, sizeof(addr.un.sun_path),
		 "%s/s <\"\n\0017>", dir);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bind(fd, &addr.any, sizeof(addr.un));
	listen(fd, 1);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	connect(client, &addr.any, sizeof(addr.un));
	peer = accept(fd, NULL, NULL);
	IS_STR(target(fd),
	       text("-|UNIX-STREAM:[%lu,\"%s/s <\\\"\\n\\0017>\"]",
		    inode(fd), dir), "a UNIX socket with a path");
	IS_STR(target(peer),
	       text("-|UNIX-STREAM:[%lu->%lu,\"%s/s <\\\"\\n\\0017>\"]",
		    inode(peer), inode(client), dir), "and its connection");
	unlink(addr.un.sun_path);
	close(peer);
	close(client);
	close(fd);

	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	memcpy(addr.un.sun_path, "\0tracer", 7);
	snprintf(addr.un.sun_path + 7, 20, "-%d", getpid());
	bind(fd, &addr.any, sizeof(addr.un.sun_family) + 7 +
	     strlen(addr.un.sun_path + 7));
	IS_STR(target(fd), text("-|UNIX:[%lu,@\"tracer-%d\"]", inode(fd),
				getpid()), "an abstract UNIX address");
	close(fd);
}

static void check_netlink(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
	socklen_t len = sizeof(addr.nl);

	memset(&addr, 0, sizeof(addr));
	addr.nl.nl_family = AF_NETLINK;
	if (bind(fd, &addr.any, len) < 0 ||
	    getsockname(fd, &addr.any, &len) < 0)
		return;
	IS_STR(target(fd), text("-|NETLINK:[KOBJECT_UEVENT:%u]",
				addr.nl.nl_pid), "a NETLINK socket");
	close(fd);
}

static void check_sockets(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	look(DECODE_FDS_PATH);
	IS_STR(target(fd), text("socket:[%lu]|-", inode(fd)),
	       "a socket's name");
	close(fd);
	look(DECODE_FDS_ALL & ~DECODE_FDS_PATH);
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
	if (fd < 0) {
		check_skip("addresses of sockets",
			   "the kernel has no socket diagnosis");
		return;
	}
	close(fd);
	check_inet(AF_INET, SOCK_STREAM, 0, "TCP", "127.0.0.1");
	check_inet(AF_INET, SOCK_DGRAM, 0, "UDP", "127.0.0.1");
	check_inet(AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE, "UDPLITE",
		   "127.0.0.1");
	check_inet(AF_INET6, SOCK_STREAM, 0, "TCPv6", "[::1]");
	check_inet(AF_INET6, SOCK_DGRAM, 0, "UDPv6", "[::1]");
	check_inet(AF_INET6, SOCK_DGRAM, IPPROTO_UDPLITE, "UDPLITEv6",
		   "[::1]");
	check_unix();
	check_netlink();
	fd = socket(AF_INET, SOCK_STREAM, 262 /* MPTCP */);
	if (fd >= 0)
		IS_STR(target(fd), "nothing", "a protocol without details");
	close(fd);
}

/* ---- threads and processes ---- */

static int thread_pipe[2];

static void *run_thread(void *tid)
{
	char byte;

	/* From here on the thread has descriptors and a directory alone. */
	unshare(CLONE_FILES | CLONE_FS);
	close(STDIN_FILENO);
	open("/dev/zero", O_RDONLY);
	if (chdir("/proc") < 0)
		return NULL;
	prctl(PR_SET_NAME, "a<b>\\c");
	*(pid_t *)tid = syscall(SYS_gettid);
	while (read(thread_pipe[0], &byte, 1) < 0)
		continue;
	return NULL;
}

static void check_thread(void)
{
	volatile pid_t tid = 0;
	const struct fd_target *cwd;
	pthread_t thread;
	char comm[16];

	if (pipe(thread_pipe) < 0 ||
	    pthread_create(&thread, NULL, run_thread, (void *)&tid) != 0)
		return;
	while (!tid)
		sched_yield();
	procinfo_init(&info, tid, DECODE_FDS_PATH, true);
	IS_STR(target(STDIN_FILENO), "/dev/zero|-",
	       "a thread with descriptors of its own");
	cwd = info.inspector.cwd(&info.inspector);
	IS_STR(cwd ? cwd->path : NULL, "/proc", "and a directory of its own");
	OK(info.inspector.pid_comm(&info.inspector, tid, comm, sizeof(comm)),
	   "it has a name");
	IS_STR(comm, "a<b>\\c", "its own, as it is");
	OK(!procinfo_comm(0x3fffffff, comm, sizeof(comm)),
	   "no process, no name");
	OK(write(thread_pipe[1], "", 1) == 1, "it may end");
	pthread_join(thread, NULL);
	close(thread_pipe[0]);
	close(thread_pipe[1]);
}

static void check_wishes(void)
{
	procinfo_init(&info, getpid(), 0, false);
	OK(!info.inspector.fd_target && !info.inspector.cwd &&
	   !info.inspector.pid_comm, "without a wish nothing is looked up");
	look(DECODE_FDS_SOCKET);
	OK(!info.inspector.cwd(&info.inspector),
	   "no directory if no path is asked for");
}

int main(void)
{
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	check_files();
	check_devices();
	check_anonymous();
	check_sockets();
	check_thread();
	check_wishes();
	rmdir(dir);
	return check_done();
}
