/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the command line by the table in settings.c, and looks at what the
 * options mean together.
 */
#include "cli/cmdline.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "parse.h"
#include "cli/settings.h"

enum {
	DEFAULT_COLUMN = 40,
	DEFAULT_STRING_LIMIT = 32,
	DEFAULT_FRAME_LIMIT = 256,

	FIRST_LONG = 256,	/* getopt's values for long options */
};

static void set_defaults(struct options *options)
{
	*options = (struct options){
		.interruptible = INTERRUPT_WAITING,
		.text = { .column = DEFAULT_COLUMN },
		.decode = {
			.string_limit = DEFAULT_STRING_LIMIT,
			.follow_pointers = true,
		},
		.abbrev = { .all = true },
		.dereference = { .all = true },
		.unwind = {
			.frame_limit = DEFAULT_FRAME_LIMIT,
			.inlined = true,
		},
	};
	filter_init(&options->filter);
	summary_options_init(&options->summary_options);
}

/* ---- getopt's view of the table ---- */

struct grammar {
	/* '+': what follows the command's name is the command's */
	char letters[3 * MAX_SETTINGS + 2];
	struct option names[MAX_SETTINGS];
};

static void add_name(struct option *option, const char *name, unsigned index)
{
	static const int args[] = {
		[ARG_NONE] = no_argument,
		[ARG_REQUIRED] = required_argument,
		[ARG_OPTIONAL] = optional_argument,
	};

	*option = (struct option){
		.name = name,
		.has_arg = args[settings[index].arg],
		.val = FIRST_LONG + index,
	};
}

static const char *unalias(const char *name)
{
	for (const struct alias *a = name_aliases; a->alias; a++) {
		if (!strcmp(a->alias, name))
			return a->of;
	}
	return name;
}

static void make_grammar(struct grammar *grammar)
{
	char *letter = grammar->letters;
	struct option *option = grammar->names;

	*letter++ = '+';
	for (unsigned i = 0; i < setting_count; i++) {
		const struct setting *setting = &settings[i];

		if (setting->letter) {
			*letter++ = setting->letter;
			if (setting->arg == ARG_REQUIRED)
				*letter++ = ':';
		}
		if (!setting->name)
			continue;
		add_name(option++, setting->name, i);
		for (const struct alias *a = name_aliases; a->alias; a++) {
			if (!strcmp(a->of, setting->name))
				add_name(option++, a->alias, i);
		}
	}
	*letter = '\0';
	*option = (struct option){ .name = NULL };
}

static const struct setting *find_setting(int value)
{
	if (value >= FIRST_LONG)
		return &settings[value - FIRST_LONG];
	for (unsigned i = 0; i < setting_count; i++) {
		if (settings[i].letter == value)
			return &settings[i];
	}
	return NULL;
}

/* ---- reading ---- */

static enum cmdline wrong(const char *text)
{
	if (text)
		message("%s", text);
	fprintf(stderr, "Try '%s -h' for more information.\n",
		program_invocation_name);
	return CMDLINE_WRONG;
}

static const char *apply(struct cmdline_state *state, int value,
			 const char *name, const char *arg)
{
	const struct setting *setting = find_setting(value);
	char spelling[64];

	if (name)
		snprintf(spelling, sizeof(spelling), "--%s", unalias(name));
	else
		snprintf(spelling, sizeof(spelling), "-%c", value);
	if (!setting->set)
		return parse_error("%s is not supported", spelling);
	state->spelling = spelling;
	return setting->set(state, arg);
}

static enum cmdline read_options(struct cmdline_state *state, int argc,
				 char **argv)
{
	struct grammar grammar;

	make_grammar(&grammar);
	for (;;) {
		int index = -1;
		int value = getopt_long(argc, argv, grammar.letters,
					grammar.names, &index);
		const char *problem;

		if (value == -1)
			return CMDLINE_TRACE;
		if (value == '?')	/* getopt has told */
			return wrong(NULL);
		problem = apply(state, value,
				index < 0 ? NULL : grammar.names[index].name,
				optarg);
		if (problem)
			return wrong(problem);
		if (state->done)
			return CMDLINE_DONE;
	}
}

/* ---- what options mean together ---- */

static const char *find_conflict(const struct cmdline_state *state)
{
	const struct options *options = state->options;
	bool summary = options->summary != SUMMARY_NONE;
	bool separately = state->separately || state->follow > 1;

	if (!options->command && !options->attach_count)
		return "must have PROG [ARGS] or -p PID";
	if (!options->command && (options->argv0 || options->user ||
				  options->environment_count))
		return "PROG [ARGS] must be specified with -E/--env, "
		       "-u/--user and --argv0";
	if (options->output && !*options->output)
		return "the name of the output file is empty";
	if (state->quiet && state->quiet_set)
		return "-q and -e quiet/--quiet cannot be provided "
		       "simultaneously";
	if (state->hex && state->hex_set)
		return "-x and --strings-in-hex cannot be provided "
		       "simultaneously";
	if (state->time && state->time_set)
		return "-t and --absolute-timestamps cannot be provided "
		       "simultaneously";
	if (state->decode_fds && state->decode_fds_set)
		return "-y and --decode-fds cannot be provided "
		       "simultaneously";
	if (summary && separately)
		return "(-c/--summary-only or -C/--summary) and "
		       "-ff/--output-separately are mutually exclusive";
	if (separately && options->output && strchr("|!", *options->output))
		return "piping the output and -ff/--output-separately are "
		       "mutually exclusive";
	if (!summary && options->summary_options.wall)
		return "-w/--summary-wall-clock must be given with "
		       "(-c/--summary-only or -C/--summary)";
	if (!summary && state->columns)
		return "-U/--summary-columns must be given with "
		       "(-c/--summary-only or -C/--summary)";
	if (options->kill_on_exit && options->attach_count)
		return "--kill-on-exit and -p/--attach are mutually exclusive";
	return NULL;
}

static void warn_if(bool useless, const char *what, const char *why)
{
	if (useless)
		message("%s has no effect with%s", what, why);
}

static void warn_of_useless(const struct cmdline_state *state)
{
	const struct options *options = state->options;
	const struct text_options *text = &options->text;
	bool only = options->summary == SUMMARY_ONLY;

	warn_if(options->append && !options->output,
		"-A/--output-append-mode", "out -o/--output");
	warn_if(state->separately && !options->output,
		"--output-separately", "out -o/--output");
	warn_if(state->sort && options->summary == SUMMARY_NONE,
		"-S/--summary-sort-by",
		"out (-c/--summary-only or -C/--summary)");
	warn_if(only && text->instruction_pointer, "-i/--instruction-pointer",
		" -c/--summary-only");
	warn_if(only && options->stack, "-k/--stack-trace",
		" -c/--summary-only");
	warn_if(only && text->syscall_number, "-n/--syscall-number",
		" -c/--summary-only");
	warn_if(only && text->relative, "-r/--relative-timestamps",
		" -c/--summary-only");
	warn_if(only && text->wall, "-t/--absolute-timestamps",
		" -c/--summary-only");
	warn_if(only && text->duration, "-T/--syscall-times",
		" -c/--summary-only");
	warn_if(only && options->decode_fds, "-y/--decode-fds",
		" -c/--summary-only");
	if (state->successful && state->failed)
		message("of -z/--successful-only and -Z/--failed-only only "
			"the last one has an effect; there is -e status=, "
			"too");
}

/* Terminals that cannot do colors tell it by their name. */
static bool terminal_has_colors(void)
{
	static const char *const without[] = {
		"dumb", "unknown", "network", "vt52", "vt100", "vt102",
		"vt220", "ansi-m",
	};
	const char *term = getenv("TERM");

	if (!term || !*term)
		return false;
	for (size_t i = 0; i < sizeof(without) / sizeof(*without); i++) {
		if (!strcmp(term, without[i]))
			return false;
	}
	return true;
}

static bool wants_color(const struct cmdline_state *state)
{
	const char *no_color = getenv("NO_COLOR");

	if (state->color != COLOR_AUTO)
		return state->color == COLOR_ALWAYS;
	return !state->options->output && isatty(STDERR_FILENO) &&
	       !(no_color && *no_color) && terminal_has_colors();
}

/* Settles what depends on several options. */
static void conclude(struct cmdline_state *state)
{
	static struct timespec last_line;
	struct options *options = state->options;
	struct text_options *text = &options->text;

	text->last_line = &last_line;
	options->output_separately =
		options->output && (state->separately || state->follow > 1);
	/* A command in the foreground, its trace out of the way. */
	if (options->output && options->command) {
		if (!state->quiet && !state->quiet_set)
			options->quiet |= QUIET_ATTACH | QUIET_PERSONALITY;
		if (!state->interruptible)
			options->interruptible = INTERRUPT_NEVER;
	}
	if (options->output && !options->output_separately &&
	    (options->follow_forks || options->attach_count > 1 ||
	     (options->attach_count && options->command)))
		options->show_pid_always = true;
	text->pid_brackets = !options->show_pid_always;
	text->staged = options->filter.status != STATUS_ALL;
	text->color = wants_color(state);
	text->colors = getenv("TRACER_COLORS");
	if (!text->colors)
		text->colors = getenv("STRACE_COLORS");
}

enum cmdline cmdline_parse(struct options *options, int argc, char **argv)
{
	struct cmdline_state state = { .options = options };
	enum cmdline result;
	const char *problem;

	set_defaults(options);
	result = read_options(&state, argc, argv);
	if (result != CMDLINE_TRACE)
		return result;
	if (argv[optind])
		options->command = &argv[optind];
	problem = find_conflict(&state);
	if (problem)
		return wrong(problem);
	warn_of_useless(&state);
	conclude(&state);
	return CMDLINE_TRACE;
}

void cmdline_free(struct options *options)
{
	free(options->environment);
	free(options->attach);
	call_set_free(&options->filter.trace);
	call_set_free(&options->abbrev);
	call_set_free(&options->dereference);
	call_set_free(&options->raw);
}
