/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Running processes; see live.h.
 */
#include "config.h"

#include "live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* ---- which file a process has mapped ---- */

static bool has_suffix(const char *name)
{
	size_t length = strlen(name), suffix = strlen(HEAP_STATE_SUFFIX);

	return length > suffix &&
		!strcmp(name + length - suffix, HEAP_STATE_SUFFIX);
}

/* Whether a path leads to the file of a line of /proc/PID/maps. */
static bool is_file(const char *path, unsigned major, unsigned minor,
		    uint64_t inode)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) &&
		status.st_ino == inode &&
		status.st_dev == makedev(major, minor);
}

/*
 * The process may see another root directory than we do.  Some file systems
 * tell another number there than here.
 */
static char *find_path(pid_t pid, const char *path, unsigned major,
		       unsigned minor, uint64_t inode)
{
	char *other;

	if (is_file(path, major, minor, inode))
		return strdup(path);
	if (asprintf(&other, "/proc/%d/root%s", (int)pid, path) < 0)
		return NULL;
	if (!access(other, F_OK))
		return other;
	free(other);
	return NULL;
}

/* A line of a shared mapping: "start-end rw-s offset dev inode path". */
static char *path_of_line(pid_t pid, char *line)
{
	unsigned major, minor;
	uint64_t inode;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%*s rw-s %*s %x:%x %" SCNu64 " %n", &major, &minor,
		   &inode, &at) < 3 || !at || !has_suffix(line + at))
		return NULL;
	return find_path(pid, line + at, major, minor, inode);
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* Its ID as it sees itself, which may be in a namespace of its own. */
static pid_t inner_pid(pid_t pid)
{
	FILE *status = open_proc(pid, "status");
	char line[256];
	const char *last;

	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		line[strcspn(line, "\n")] = '\0';
		last = strrchr(line, '\t');
		pid = last ? atoi(last + 1) : pid;
	}
	fclose(status);
	return pid;
}

/* A child that has not allocated yet has its parent's state mapped. */
static bool is_own(const char *path, pid_t inner)
{
	const char *slash = strrchr(path, '/');

	return atoi(slash ? slash + 1 : path) == inner;
}

char *live_find(pid_t pid)
{
	FILE *maps = open_proc(pid, "maps");
	char *line = NULL, *path = NULL;
	size_t size = 0;

	if (!maps)
		return NULL;
	while (!path && getline(&line, &size, maps) > 0) {
		path = path_of_line(pid, line);
		if (path && !is_own(path, inner_pid(pid))) {
			free(path);
			path = NULL;
		}
	}
	free(line);
	fclose(maps);
	return path;
}

void live_each(bool (*function)(pid_t pid, const char *path))
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	bool more = proc;

	while (more && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);
		char *path = pid > 0 ? live_find(pid) : NULL;

		if (path)
			more = function(pid, path);
		free(path);
	}
	if (proc)
		closedir(proc);
}

/* ---- opening ---- */

enum {
	TRIES = 20,		/* to see an answer */
	WAIT = 10 * 1000000,	/* between them, ns */
};

/* Who may not write there does not get an answer. */
static void ask_process(const char *path)
{
	const struct timespec wait = { .tv_nsec = WAIT };
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	size_t size = offsetof(struct heap_state, modules);
	struct heap_state *state;
	uint32_t asked;

	if (fd < 0)
		return;
	state = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (state == MAP_FAILED)
		return;
	asked = __atomic_add_fetch(&state->asked, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < TRIES && __atomic_load_n(&state->answered,
		    __ATOMIC_RELAXED) != asked; i++)
		nanosleep(&wait, NULL);
	munmap(state, size);
}

static uint64_t resident(pid_t pid)
{
	FILE *statm = open_proc(pid, "statm");
	unsigned long pages = 0;

	if (!statm)
		return 0;
	if (fscanf(statm, "%*s %lu", &pages) != 1)
		pages = 0;
	fclose(statm);
	return (uint64_t)pages * sysconf(_SC_PAGESIZE);
}

bool live_open(struct heap_file *file, pid_t pid, bool ask)
{
	char *path = live_find(pid);
	struct timespec now;
	bool done;

	if (!path) {
		errno = kill(pid, 0) && errno == ESRCH ? ESRCH : ENOENT;
		return false;
	}
	done = heap_file_open(file, path);
	/* What is none must not be asked. */
	if (done && ask) {
		heap_file_close(file);
		ask_process(path);
		done = heap_file_open(file, path);
	}
	free(path);
	if (!done)
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	file->taken = now.tv_sec * 1000000000ull + now.tv_nsec;
	file->resident = resident(pid);
	return true;
}

/* ---- copying ---- */

static bool is_empty(const char *bytes, size_t size)
{
	return !*bytes && !memcmp(bytes, bytes + 1, size - 1);
}

/* What was never written to is not touched, and so needs no memory. */
static bool copy_bytes(const struct heap_file *file, int fd, int source)
{
	const char *bytes = (const char *)file->state;
	off_t at = 0, end;

	while ((at = lseek(source, at, SEEK_DATA)) >= 0 &&
	       (size_t)at < file->size) {
		end = lseek(source, at, SEEK_HOLE);
		for (; at < end && (size_t)at < file->size; at += HEAP_PAGE) {
			size_t left = file->size - at;
			size_t size = left < HEAP_PAGE ? left : HEAP_PAGE;

			if (!is_empty(bytes + at, size) &&
			    pwrite(fd, bytes + at, size, at) != (ssize_t)size)
				return false;
		}
	}
	return true;
}

static bool finish_copy(const struct heap_file *file, int fd)
{
	return pwrite(fd, &file->taken, sizeof(file->taken),
		      offsetof(struct heap_state, taken)) ==
		sizeof(file->taken) &&
		pwrite(fd, &file->resident, sizeof(file->resident),
		       offsetof(struct heap_state, resident)) ==
		sizeof(file->resident);
}

bool live_copy(const struct heap_file *file, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool done;

	if (fd < 0)
		return false;
	done = !ftruncate(fd, file->size) &&
		copy_bytes(file, fd, file->fd) && finish_copy(file, fd);
	return !close(fd) && done;
}

/* ---- directories ---- */

static const char *const patterns[] = { "/dev/shm", "/tmp" };
static const char prefix[] = "tracer-heap.";

/* Held until this process ends, however that happens. */
static bool hold(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return false;
	if (flock(fd, LOCK_SH) || fstat(fd, &status) || !status.st_nlink) {
		close(fd);
		return false;
	}
	return true;
}

/* In memory if that is possible: pages need not be written back. */
char *live_make_directory(void)
{
	const char *temporary = getenv("TMPDIR");
	const char *places[] = {
		"/dev/shm", temporary && *temporary ? temporary : "/tmp",
	};
	char *path;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&path, "%s/%sXXXXXX", places[i], prefix) < 0)
			return NULL;
		/* Somebody who cleans up may have come in between. */
		if (mkdtemp(path) && hold(path))
			return path;
		free(path);
	}
	return NULL;
}

/* PID.N.heap, of a process that has it mapped. */
static bool is_used(const char *path, const char *name)
{
	char *mapped = live_find(atoi(name));
	struct stat a, b;
	bool used = mapped && !stat(mapped, &a) && !stat(path, &b) &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino;

	free(mapped);
	return used;
}

void live_remove_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char *file;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (!has_suffix(entry->d_name) ||
		    asprintf(&file, "%s/%s", path, entry->d_name) < 0)
			continue;
		if (!is_used(file, entry->d_name))
			unlink(file);
		free(file);
	}
	closedir(dir);
	rmdir(path);
}

/* Ours, private, and nobody holds it. */
static bool is_stale(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	bool stale;

	if (fd < 0)
		return false;
	stale = !fstat(fd, &status) && status.st_uid == geteuid() &&
		(status.st_mode & 0777) == 0700 &&
		!flock(fd, LOCK_EX | LOCK_NB);
	if (stale)
		live_remove_directory(path);
	close(fd);
	return stale;
}

static void clean_place(const char *place)
{
	DIR *dir = opendir(place);
	struct dirent *entry;
	char *path;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1) ||
		    strlen(entry->d_name) != sizeof(prefix) - 1 + 6 ||
		    asprintf(&path, "%s/%s", place, entry->d_name) < 0)
			continue;
		is_stale(path);
		free(path);
	}
	closedir(dir);
}

void live_clean(void)
{
	const char *temporary = getenv("TMPDIR");

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		clean_place(patterns[i]);
	if (temporary && *temporary)
		clean_place(temporary);
}
