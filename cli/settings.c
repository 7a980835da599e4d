/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every option: the table is at the end, before it what the options do.
 */
#include "cli/settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "parse.h"

enum {
	MAX_STRING_LIMIT = 1073741823,
	MAX_FRAME_LIMIT = 1 << 20,
};

static const char *invalid(const struct cmdline_state *state, const char *arg)
{
	return parse_error("invalid %s argument: '%s'", state->spelling, arg);
}

/* A word that stands for a number; false: no such word. */
static bool choose(const struct word *words, const char *arg, unsigned *value)
{
	const struct word *word = parse_find_word(words, arg, strlen(arg));

	if (word)
		*value = word->bits;
	return word != NULL;
}

/* ---- -e ---- */

static const struct setting *find_qualifier(const char *name, size_t len)
{
	for (const struct alias *a = qualifier_aliases; a->alias; a++) {
		if (strlen(a->alias) == len && !memcmp(a->alias, name, len)) {
			name = a->of;
			len = strlen(name);
			break;
		}
	}
	for (unsigned i = 0; i < setting_count; i++) {
		const char *qualifier = settings[i].qualifier;

		if (qualifier && strlen(qualifier) == len &&
		    !memcmp(qualifier, name, len))
			return &settings[i];
	}
	return NULL;
}

/* QUALIFIER=VALUE; what has no known qualifier is a set of calls. */
static const char *set_expression(struct cmdline_state *state,
				  const char *arg)
{
	size_t len = strcspn(arg, "=");
	const struct setting *setting = NULL;

	if (arg[len])
		setting = find_qualifier(arg, len);
	if (!setting)
		return call_set_parse(&state->options->filter.trace, arg);
	if (!setting->set)
		return parse_error("-e %.*s is not supported", (int)len, arg);
	return setting->set(state, arg + len + 1);
}

/* ---- start ---- */

static const char *set_argv0(struct cmdline_state *state, const char *arg)
{
	state->options->argv0 = arg;
	return NULL;
}

static const char *set_environment(struct cmdline_state *state,
				   const char *arg)
{
	struct options *options = state->options;
	size_t count = options->environment_count;
	char **list = reallocarray(options->environment, count + 1,
				   sizeof(*list));

	if (!list)
		return parse_error("out of memory");
	list[count] = (char *)arg;
	options->environment = list;
	options->environment_count = count + 1;
	return NULL;
}

static const char *add_pid(struct options *options, const char *text,
			   size_t len)
{
	pid_t *list = reallocarray(options->attach, options->attach_count + 1,
				   sizeof(*list));
	char digits[16] = "";
	uint64_t pid;

	if (!list)
		return parse_error("out of memory");
	options->attach = list;
	if (len < sizeof(digits))
		memcpy(digits, text, len);
	if (!parse_number(digits, INT_MAX, &pid) || pid == 0)
		return parse_error("invalid process id: '%.*s'", (int)len,
				   text);
	list[options->attach_count++] = pid;
	return NULL;
}

/* A list as pgrep and pidof write them. */
static const char *set_attach(struct cmdline_state *state, const char *arg)
{
	static const char separators[] = ", \t\n";
	const char *message = NULL;
	bool any = false;

	arg += strspn(arg, separators);
	while (*arg && !message) {
		size_t len = strcspn(arg, separators);

		message = add_pid(state->options, arg, len);
		arg += len;
		arg += strspn(arg, separators);
		any = true;
	}
	return any ? message : parse_error("invalid process id: ''");
}

static const char *set_user(struct cmdline_state *state, const char *arg)
{
	state->options->user = arg;
	return NULL;
}

/* ---- tracing ---- */

static const char *set_follow(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->follow_forks = true;
	state->follow++;
	return NULL;
}

static const char *set_follow_old(struct cmdline_state *state,
				  const char *arg)
{
	message("-F is an old spelling of -f, --follow-forks");
	return set_follow(state, arg);
}

static const char *set_interruptible(struct cmdline_state *state,
				     const char *arg)
{
	static const struct word words[] = {
		{ "1", INTERRUPT_ANYWHERE },
		{ "anywhere", INTERRUPT_ANYWHERE },
		{ "2", INTERRUPT_WAITING },
		{ "waiting", INTERRUPT_WAITING },
		{ "3", INTERRUPT_NEVER },
		{ "never", INTERRUPT_NEVER },
		{ "4", INTERRUPT_NEVER_TSTP },
		{ "never_tstp", INTERRUPT_NEVER_TSTP },
		{ NULL, 0 },
	};
	unsigned value;

	if (!choose(words, arg, &value))
		return invalid(state, arg);
	state->interruptible = true;
	state->options->interruptible = value;
	return NULL;
}

static const char *set_kill_on_exit(struct cmdline_state *state,
				    const char *arg)
{
	(void)arg;
	state->options->kill_on_exit = true;
	return NULL;
}

static const char *set_registers(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->debug_registers = true;
	return NULL;
}

static const char *set_unwinding(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->debug_unwinding = true;
	return NULL;
}

/* ---- filters ---- */

static const char *set_trace(struct cmdline_state *state, const char *arg)
{
	return call_set_parse(&state->options->filter.trace, arg);
}

static const char *set_signal(struct cmdline_state *state, const char *arg)
{
	return signal_set_parse(&state->options->filter.signals, arg);
}

static const char *set_status(struct cmdline_state *state, const char *arg)
{
	return status_set_parse(&state->options->filter.status, arg);
}

static const char *set_successful(struct cmdline_state *state,
				  const char *arg)
{
	(void)arg;
	state->options->filter.status = STATUS_SUCCESSFUL;
	state->successful = true;
	return NULL;
}

static const char *set_failed(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->filter.status = STATUS_FAILED;
	state->failed = true;
	return NULL;
}

/* ---- output ---- */

static const char *set_output(struct cmdline_state *state, const char *arg)
{
	state->options->output = arg;
	return NULL;
}

static const char *set_append(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->append = true;
	return NULL;
}

static const char *set_separately(struct cmdline_state *state,
				  const char *arg)
{
	(void)arg;
	state->separately = true;
	return NULL;
}

static const char *set_format(struct cmdline_state *state, const char *arg)
{
	static const struct word words[] = {
		{ "text", FORMAT_TEXT }, { "json", FORMAT_JSON }, { NULL, 0 },
	};
	unsigned value;

	if (!choose(words, arg, &value))
		return invalid(state, arg);
	state->options->format = value;
	return NULL;
}

static const char *set_color(struct cmdline_state *state, const char *arg)
{
	static const struct word words[] = {
		{ "auto", COLOR_AUTO },
		{ "always", COLOR_ALWAYS },
		{ "never", COLOR_NEVER },
		{ NULL, 0 },
	};
	unsigned value;

	if (!choose(words, arg, &value))
		return invalid(state, arg);
	state->color = value;
	return NULL;
}

static const char *set_column(struct cmdline_state *state, const char *arg)
{
	uint64_t value;

	if (!parse_number(arg, INT_MAX, &value))
		return invalid(state, arg);
	state->options->text.column = value;
	return NULL;
}

static const char *set_always_pid(struct cmdline_state *state,
				  const char *arg)
{
	(void)arg;
	state->options->show_pid_always = true;
	return NULL;
}

static const char *set_number(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->text.syscall_number = true;
	return NULL;
}

static const char *set_ip(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->text.instruction_pointer = true;
	return NULL;
}

static const char *set_names(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->text.arg_names = true;
	return NULL;
}

static const char *count_quiet(struct cmdline_state *state, const char *arg)
{
	static const unsigned levels[] = {
		QUIET_ATTACH | QUIET_PERSONALITY,
		QUIET_ATTACH | QUIET_PERSONALITY | QUIET_EXIT,
		QUIET_ALL,
	};

	(void)arg;
	state->options->quiet = levels[state->quiet < 2 ? state->quiet : 2];
	state->quiet++;
	return NULL;
}

static const char *set_quiet(struct cmdline_state *state, const char *arg)
{
	static const struct word words[] = {
		{ "attach", QUIET_ATTACH },
		{ "exit", QUIET_EXIT },
		{ "exits", QUIET_EXIT },
		{ "path-resolution", QUIET_PATH_RESOLUTION },
		{ "personality", QUIET_PERSONALITY },
		{ "thread-execve", QUIET_SUPERSEDED },
		{ "superseded", QUIET_SUPERSEDED },
		{ NULL, 0 },
	};

	state->quiet_set = true;
	return parse_word_set(&state->options->quiet,
			      arg ? arg : "attach,personality", "quiet",
			      words, QUIET_ALL);
}

/* ---- time ---- */

static const struct word precisions[] = {
	{ "s", 0 }, { "ms", 3 }, { "us", 6 }, { "ns", 9 }, { NULL, 0 },
};

static const char *count_time(struct cmdline_state *state, const char *arg)
{
	struct text_options *text = &state->options->text;

	(void)arg;
	state->time++;
	text->wall = state->time > 2 ? TIME_UNIX : TIME_CLOCK;
	text->wall_digits = state->time > 1 ? 6 : 0;
	return NULL;
}

/* [[format:]FORMAT][,[precision:]PRECISION] */
static const char *set_time(struct cmdline_state *state, const char *arg)
{
	static const struct word formats[] = {
		{ "none", TIME_NONE },
		{ "time", TIME_CLOCK },
		{ "unix", TIME_UNIX },
		{ "format:none", TIME_NONE },
		{ "format:time", TIME_CLOCK },
		{ "format:unix", TIME_UNIX },
		{ NULL, 0 },
	};
	struct text_options *text = &state->options->text;
	const char *rest = arg ? arg : "time";

	state->time_set = true;
	text->wall = TIME_CLOCK;
	text->wall_digits = 0;
	for (;; rest++) {
		static const char tag[] = "precision:";
		size_t len = strcspn(rest, ",");
		size_t tag_len = strncmp(rest, tag, strlen(tag)) ? 0
								 : strlen(tag);
		const struct word *format =
			parse_find_word(formats, rest, len);
		const struct word *precision =
			parse_find_word(precisions, rest + tag_len,
					len - tag_len);

		if (format)
			text->wall = format->bits;
		else if (precision)
			text->wall_digits = precision->bits;
		else
			return invalid(state, arg);
		rest += len;
		if (!*rest)
			return NULL;
	}
}

static const char *set_relative(struct cmdline_state *state, const char *arg)
{
	unsigned digits = 6;

	if (arg && !choose(precisions, arg, &digits))
		return invalid(state, arg);
	state->options->text.relative = true;
	state->options->text.relative_digits = digits;
	return NULL;
}

static const char *set_duration(struct cmdline_state *state, const char *arg)
{
	unsigned digits = 6;

	if (arg && !choose(precisions, arg, &digits))
		return invalid(state, arg);
	state->options->text.duration = true;
	state->options->text.duration_digits = digits;
	state->options->json.durations = true;
	return NULL;
}

/* ---- decoding ---- */

static const char *set_string_limit(struct cmdline_state *state,
				    const char *arg)
{
	uint64_t value;

	if (!parse_number(arg, MAX_STRING_LIMIT, &value))
		return invalid(state, arg);
	state->options->decode.string_limit = value;
	return NULL;
}

static const char *set_verbose(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	return call_set_parse(&state->options->abbrev, "none");
}

static const char *set_abbrev(struct cmdline_state *state, const char *arg)
{
	return call_set_parse(&state->options->abbrev, arg);
}

static const char *set_dereference(struct cmdline_state *state,
				   const char *arg)
{
	return call_set_parse(&state->options->dereference, arg);
}

static const char *set_raw(struct cmdline_state *state, const char *arg)
{
	return call_set_parse(&state->options->raw, arg);
}

static const char *count_hex(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->hex++;
	state->options->text.hex_strings = state->hex > 1
						   ? HEX_STRINGS_ALL
						   : HEX_STRINGS_NON_ASCII;
	return NULL;
}

static const char *set_hex(struct cmdline_state *state, const char *arg)
{
	static const struct word words[] = {
		{ "none", HEX_STRINGS_NONE },
		{ "non-ascii-chars", HEX_STRINGS_NON_ASCII_CHARS },
		{ "non-ascii", HEX_STRINGS_NON_ASCII },
		{ "all", HEX_STRINGS_ALL },
		{ NULL, 0 },
	};
	unsigned value = HEX_STRINGS_ALL;

	if (arg && !choose(words, arg, &value))
		return invalid(state, arg);
	state->hex_set = true;
	state->options->text.hex_strings = value;
	return NULL;
}

static const char *set_constants(struct cmdline_state *state, const char *arg)
{
	static const struct word words[] = {
		{ "raw", CONST_RAW },
		{ "abbrev", CONST_ABBREV },
		{ "verbose", CONST_VERBOSE },
		{ NULL, 0 },
	};
	unsigned value;

	if (!choose(words, arg, &value))
		return invalid(state, arg);
	state->options->text.const_style = value;
	return NULL;
}

static const char *count_decode_fds(struct cmdline_state *state,
				    const char *arg)
{
	(void)arg;
	state->decode_fds++;
	state->options->decode_fds = state->decode_fds > 1 ? DECODE_FDS_ALL
							   : DECODE_FDS_PATH;
	return NULL;
}

static const char *set_decode_fds(struct cmdline_state *state,
				  const char *arg)
{
	static const struct word words[] = {
		{ "path", DECODE_FDS_PATH },
		{ "socket", DECODE_FDS_SOCKET },
		{ "dev", DECODE_FDS_DEV },
		{ "eventfd", DECODE_FDS_EVENTFD },
		{ "pidfd", DECODE_FDS_PIDFD },
		{ "signalfd", DECODE_FDS_SIGNALFD },
		{ NULL, 0 },
	};

	state->decode_fds_set = true;
	return parse_word_set(&state->options->decode_fds, arg ? arg : "path",
			      "decode-fds", words, DECODE_FDS_ALL);
}

static const char *set_comm(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->decode_pids = true;
	return NULL;
}

static const char *set_decode_pids(struct cmdline_state *state,
				   const char *arg)
{
	static const struct word words[] = { { "comm", 1 }, { NULL, 0 } };
	unsigned value = 0;
	const char *message;

	if (!strcmp(arg, "pidns"))
		return parse_error("--decode-pids=pidns is not supported");
	message = parse_word_set(&value, arg, "decode-pids", words, 1);
	state->options->decode_pids = value;
	return message;
}

/* ---- stacks ---- */

static const char *set_stack_level(struct options *options, bool source)
{
	options->stack = true;
	options->unwind.source = source;
	options->text.frame_source = source;
	return NULL;
}

static const char *count_stack(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->stack++;
	return set_stack_level(state->options, state->stack > 1);
}

static const char *set_stack(struct cmdline_state *state, const char *arg)
{
	if (!arg || !strcmp(arg, "symbol"))
		return set_stack_level(state->options, false);
	if (!strcmp(arg, "source"))
		return set_stack_level(state->options, true);
	return invalid(state, arg);
}

static const char *set_frame_limit(struct cmdline_state *state,
				   const char *arg)
{
	uint64_t value;

	if (!parse_number(arg, MAX_FRAME_LIMIT, &value) || value == 0)
		return invalid(state, arg);
	state->options->unwind.frame_limit = value;
	return NULL;
}

static const char *set_debuginfod(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->unwind.debuginfod = true;
	return NULL;
}

static const char *hide_inlined(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->unwind.inlined = false;
	return NULL;
}

static const char *set_unwinder(struct cmdline_state *state, const char *arg)
{
	for (size_t i = 0; unwinder_names[i]; i++) {
		if (!strcmp(unwinder_names[i], arg)) {
			state->options->unwinder = arg;
			return NULL;
		}
	}
	return parse_error("this tracer has no unwinder '%s'", arg);
}

/* ---- statistics ---- */

static const char *set_summary(struct options *options, enum summary_mode mode)
{
	if (options->summary != SUMMARY_NONE && options->summary != mode)
		return parse_error("-c/--summary-only and -C/--summary are "
				   "mutually exclusive");
	options->summary = mode;
	return NULL;
}

static const char *set_summary_only(struct cmdline_state *state,
				    const char *arg)
{
	(void)arg;
	return set_summary(state->options, SUMMARY_ONLY);
}

static const char *set_summary_too(struct cmdline_state *state,
				   const char *arg)
{
	(void)arg;
	return set_summary(state->options, SUMMARY_TOO);
}

static const char *set_overhead(struct cmdline_state *state, const char *arg)
{
	return summary_parse_overhead(&state->options->summary_options, arg);
}

static const char *set_sort(struct cmdline_state *state, const char *arg)
{
	state->sort = true;
	return summary_parse_sort(&state->options->summary_options, arg);
}

static const char *set_columns(struct cmdline_state *state, const char *arg)
{
	state->columns = true;
	return summary_parse_columns(&state->options->summary_options, arg);
}

static const char *set_wall(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->options->summary_options.wall = true;
	return NULL;
}

/* ---- about ---- */

static const char *show_help(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->done = true;
	print_help();
	return NULL;
}

static const char *show_version(struct cmdline_state *state, const char *arg)
{
	(void)arg;
	state->done = true;
	print_version();
	return NULL;
}

/* ---- the table ---- */

const struct setting settings[] = {
	{ .help = "What to trace" },
	{ 'p', "attach", NULL, ARG_REQUIRED, "PID[,PID]...", set_attach,
	  "attach to running processes; may be repeated, and go with a\n"
	  "command" },
	{ 'u', "user", NULL, ARG_REQUIRED, "USER", set_user,
	  "run the command as this user, or as UID:GID without looking any\n"
	  "name up; only for root" },
	{ 'E', "env", NULL, ARG_REQUIRED, "VAR[=VALUE]", set_environment,
	  "set a variable in the command's environment, or remove it; may\n"
	  "be repeated" },
	{ 0, "argv0", NULL, ARG_REQUIRED, "NAME", set_argv0,
	  "the name that the command sees itself called by" },
	{ 'f', "follow-forks", NULL, ARG_NONE, NULL, set_follow,
	  "trace children, too; with -p, all threads of the process.  -ff:\n"
	  "and write to a file for each thread, like --output-separately" },
	{ 'F', NULL, NULL, ARG_NONE, NULL, set_follow_old, NULL },
	{ 'I', "interruptible", NULL, ARG_REQUIRED, "WHEN", set_interruptible,
	  "when signals like ^C end the tracer: 1 or anywhere, at once; 2\n"
	  "or waiting, between two events (default); 3 or never (default\n"
	  "with -o FILE and a command); 4 or never_tstp, nor does ^Z stop\n"
	  "it" },
	{ 0, "kill-on-exit", NULL, ARG_NONE, NULL, set_kill_on_exit,
	  "kill what is traced when the tracer ends" },

	{ .help = "What to show" },
	{ 'e', NULL, NULL, ARG_REQUIRED, "EXPR", set_expression,
	  "QUALIFIER=VALUE, as told with the options below; without a\n"
	  "qualifier, it is trace=.  Of several, the last one holds" },
	{ 0, "trace", "trace", ARG_REQUIRED, "SET", set_trace,
	  "these system calls (all).  A SET is a list of names, numbers,\n"
	  "%classes and /patterns (extended regular expressions), or all,\n"
	  "or none.  '!' before it: all others.  '?' before one of the\n"
	  "list: no matter if there is no such call.  @64, @32 or @x32\n"
	  "behind it: on this ABI only.  Classes: %clock %creds %desc %file\n"
	  "%fstat %fstatfs %ipc %lstat %memory %net %network %process %pure\n"
	  "%signal %stat %statfs %%stat %%statfs" },
	{ 0, "signals", "signal", ARG_REQUIRED, "SET", set_signal,
	  "these signals (all), by names or numbers" },
	{ 0, "status", "status", ARG_REQUIRED, "SET", set_status,
	  "calls that end so (all): successful, failed, unfinished,\n"
	  "unavailable, detached" },
	{ 'z', "successful-only", NULL, ARG_NONE, NULL, set_successful,
	  "only calls that succeed" },
	{ 'Z', "failed-only", NULL, ARG_NONE, NULL, set_failed,
	  "only calls that fail" },

	{ .help = "Where the output goes" },
	{ 'o', "output", NULL, ARG_REQUIRED, "FILE", set_output,
	  "to a file, or with '|COMMAND' or '!COMMAND' to its input\n"
	  "(standard error)" },
	{ 'A', "output-append-mode", NULL, ARG_NONE, NULL, set_append,
	  "to the end of the file, instead of overwriting it" },
	{ 0, "output-separately", NULL, ARG_NONE, NULL, set_separately,
	  "to a file for each thread: FILE.TID" },
	{ 0, "format", NULL, ARG_REQUIRED, "FORMAT", set_format,
	  "text (default), or json: an object for each line" },

	{ .help = "How lines look" },
	{ 'a', "columns", NULL, ARG_REQUIRED, "N", set_column,
	  "results begin in this column, if there is space (40)" },
	{ 0, "always-show-pid", NULL, ARG_NONE, NULL, set_always_pid,
	  "each line begins with the thread's id, even with only one" },
	{ 0, "color", NULL, ARG_REQUIRED, "WHEN", set_color,
	  "auto (default: on terminals that have colors), always, or never" },
	{ 'i', "instruction-pointer", NULL, ARG_NONE, NULL, set_ip,
	  "show where in the program the call is" },
	{ 'n', "syscall-number", NULL, ARG_NONE, NULL, set_number,
	  "show the numbers of calls" },
	{ 'N', "arg-names", NULL, ARG_NONE, NULL, set_names,
	  "show the names of arguments" },
	{ 'q', NULL, NULL, ARG_NONE, NULL, count_quiet,
	  "no messages of attaching and of ABIs; the default with -o FILE\n"
	  "and a command.  -qq: nor of exits.  -qqq: nor any other" },
	{ 0, "quiet", "quiet", ARG_OPTIONAL, "SET", set_quiet,
	  "no such messages (attach,personality): attach, exit,\n"
	  "path-resolution, personality, thread-execve" },

	{ .help = "Time" },
	{ 't', NULL, NULL, ARG_NONE, NULL, count_time,
	  "show the time of day.  -tt: with microseconds.  -ttt: as seconds\n"
	  "since 1970, with microseconds" },
	{ 0, "absolute-timestamps", NULL, ARG_OPTIONAL, "FORMAT", set_time,
	  "likewise.  FORMAT is [[format:]none|time|unix]\n"
	  "[,[precision:]s|ms|us|ns] (time,s)" },
	{ 'r', NULL, NULL, ARG_NONE, NULL, set_relative,
	  "show the time since the line before" },
	{ 0, "relative-timestamps", NULL, ARG_OPTIONAL, "PRECISION",
	  set_relative, "likewise; s, ms, us or ns (us)" },
	{ 'T', NULL, NULL, ARG_NONE, NULL, set_duration,
	  "show how long calls take" },
	{ 0, "syscall-times", NULL, ARG_OPTIONAL, "PRECISION", set_duration,
	  "likewise; s, ms, us or ns (us)" },

	{ .help = "How values look" },
	{ 's', "string-limit", NULL, ARG_REQUIRED, "N", set_string_limit,
	  "so many bytes of strings, and elements of arrays (32)" },
	{ 'v', "no-abbrev", NULL, ARG_NONE, NULL, set_verbose,
	  "structures in full, like -e abbrev=none" },
	{ 0, "abbrev", "abbrev", ARG_REQUIRED, "SET", set_abbrev,
	  "abbreviate structures of these calls (all)" },
	{ 0, "verbose", "verbose", ARG_REQUIRED, "SET", set_dereference,
	  "show what pointers of these calls point to (all)" },
	{ 0, "raw", "raw", ARG_REQUIRED, "SET", set_raw,
	  "show only hexadecimal numbers for these calls (none)" },
	{ 'x', NULL, NULL, ARG_NONE, NULL, count_hex,
	  "strings that are not ASCII in hexadecimal.  -xx: all strings" },
	{ 0, "strings-in-hex", NULL, ARG_OPTIONAL, "WHICH", set_hex,
	  "which strings are (all): none, non-ascii, all, or with\n"
	  "non-ascii-chars single characters (default without this: none)" },
	{ 'X', "const-print-style", NULL, ARG_REQUIRED, "STYLE",
	  set_constants,
	  "constants as abbrev (default: names), raw (numbers), or\n"
	  "verbose (both)" },
	{ 'y', NULL, NULL, ARG_NONE, NULL, count_decode_fds,
	  "show the paths of descriptors.  -yy: all that is known of them" },
	{ 0, "decode-fds", "decode-fds", ARG_OPTIONAL, "SET", set_decode_fds,
	  "show this of descriptors (path): path, socket, dev, eventfd,\n"
	  "pidfd, signalfd" },
	{ 'Y', NULL, NULL, ARG_NONE, NULL, set_comm,
	  "show the names of processes behind their ids" },
	{ 0, "decode-pids", "decode-pids", ARG_REQUIRED, "comm",
	  set_decode_pids, "likewise" },

	{ .help = "Stacks" },
	{ 'k', NULL, NULL, ARG_NONE, NULL, count_stack,
	  "show the stack under each call and signal.  -kk: with source\n"
	  "lines" },
	{ 0, "stack-trace", NULL, ARG_OPTIONAL, "WHAT", set_stack,
	  "likewise: symbol (default), or source" },
	{ 0, "stack-trace-frame-limit", NULL, ARG_REQUIRED, "N",
	  set_frame_limit, "at most so many frames (256)" },
	{ 0, "debuginfod", NULL, ARG_NONE, NULL, set_debuginfod,
	  "ask the servers in DEBUGINFOD_URLS for symbols and lines" },
	{ 0, "no-inlined-frames", NULL, ARG_NONE, NULL, hide_inlined,
	  "-kk without frames of inlined functions" },
	{ 0, "unwinder", NULL, ARG_REQUIRED, "NAME", set_unwinder,
	  "find frames with this library (-V lists them, the default\n"
	  "first)" },

	{ .help = "Statistics" },
	{ 'c', "summary-only", NULL, ARG_NONE, NULL, set_summary_only,
	  "count calls, errors and time, and show only the table of them" },
	{ 'C', "summary", NULL, ARG_NONE, NULL, set_summary_too,
	  "show the table in the end, after all else" },
	{ 'S', "summary-sort-by", NULL, ARG_REQUIRED, "COLUMN", set_sort,
	  "sort by a column, or nothing (time)" },
	{ 'U', "summary-columns", NULL, ARG_REQUIRED, "COLUMN[,COLUMN]...",
	  set_columns,
	  "the columns (time-percent,total-time,avg-time,calls,errors,\n"
	  "name); besides: min-time max-time wall-total wall-min wall-max\n"
	  "wall-avg" },
	{ 'w', "summary-wall-clock", NULL, ARG_NONE, NULL, set_wall,
	  "time is from beginning to end (CPU time in the kernel)" },
	{ 'O', "summary-syscall-overhead", NULL, ARG_REQUIRED, "TIME",
	  set_overhead,
	  "take this off every call: a number and s, ms, us or ns (0us)" },

	{ .help = "Other" },
	{ 0, "debug-registers", NULL, ARG_NONE, NULL, set_registers,
	  "find calls in the registers, as on Linux before 5.3" },
	{ 0, "debug-unwinding", NULL, ARG_NONE, NULL, set_unwinding,
	  "tell at the end how often stacks were taken, maps read..." },
	{ 'h', "help", NULL, ARG_NONE, NULL, show_help, "this text" },
	{ 'V', "version", NULL, ARG_NONE, NULL, show_version,
	  "the version, and what this build can do" },

	/* What strace has and we have not. */
	{ 'b', "detach-on", NULL, ARG_REQUIRED, NULL, NULL, NULL },
	{ 'D', "daemonize", NULL, ARG_OPTIONAL, NULL, NULL, NULL },
	{ 'd', "debug", NULL, ARG_NONE, NULL, NULL, NULL },
	{ 'P', "trace-path", NULL, ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "fault", "fault", ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "inject", "inject", ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "kvm", "kvm", ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "namespace", "namespace", ARG_OPTIONAL, NULL, NULL, NULL },
	{ 0, "pidns-translation", NULL, ARG_NONE, NULL, NULL, NULL },
	{ 0, "read", "read", ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "seccomp-bpf", NULL, ARG_NONE, NULL, NULL, NULL },
	{ 0, "secontext", "secontext", ARG_OPTIONAL, NULL, NULL, NULL },
	{ 0, "syscall-limit", NULL, ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "tips", NULL, ARG_OPTIONAL, NULL, NULL, NULL },
	{ 0, "trace-fds", "trace-fds", ARG_REQUIRED, NULL, NULL, NULL },
	{ 0, "write", "write", ARG_REQUIRED, NULL, NULL, NULL },
};

const unsigned setting_count = sizeof(settings) / sizeof(*settings);

const struct alias name_aliases[] = {
	{ "daemonised", "daemonize" },
	{ "daemonized", "daemonize" },
	{ "failing-only", "failed-only" },
	{ "silence", "quiet" },
	{ "silent", "quiet" },
	{ "stack-traces", "stack-trace" },
	{ "timestamps", "absolute-timestamps" },
	{ NULL, NULL },
};

const struct alias qualifier_aliases[] = {
	{ "a", "abbrev" },
	{ "decode-fd", "decode-fds" },
	{ "decode-pid", "decode-pids" },
	{ "fd", "trace-fds" },
	{ "fds", "trace-fds" },
	{ "q", "quiet" },
	{ "r", "read" },
	{ "reads", "read" },
	{ "s", "signal" },
	{ "signals", "signal" },
	{ "silence", "quiet" },
	{ "silent", "quiet" },
	{ "t", "trace" },
	{ "trace-fd", "trace-fds" },
	{ "v", "verbose" },
	{ "w", "write" },
	{ "writes", "write" },
	{ "x", "raw" },
	{ NULL, NULL },
};

_Static_assert(sizeof(settings) / sizeof(*settings) +
	       sizeof(name_aliases) / sizeof(*name_aliases) <= MAX_SETTINGS,
	       "MAX_SETTINGS is too small");
