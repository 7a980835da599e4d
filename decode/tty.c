/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What terminals take by ioctl, and the few commands of any descriptor that
 * look like theirs.
 */
#include "decode/decode.h"
#include "decode/structures.h"

/* ---- settings ---- */

#define TTY_OFLAGS(ctype_)						\
	JOINED(ctype_,							\
	       CHOICE(V_NLDLY, ENUM(tty_newline_delays)),		\
	       CHOICE(V_CRDLY, ENUM(tty_return_delays)),		\
	       CHOICE(V_TABDLY, ENUM(tty_tab_delays)),			\
	       CHOICE(V_BSDLY, ENUM(tty_backspace_delays)),		\
	       CHOICE(V_VTDLY, ENUM(tty_vtab_delays)),			\
	       CHOICE(V_FFDLY, ENUM(tty_formfeed_delays)),		\
	       CHOICE(~(uint64_t)(V_NLDLY | V_CRDLY | V_TABDLY | V_BSDLY | \
				  V_VTDLY | V_FFDLY), FLAGS(tty_oflags)))
#define TTY_CFLAGS(ctype_)						\
	JOINED(ctype_,							\
	       CHOICE(V_CBAUD, ENUM(tty_speeds)),			\
	       CHOICE(V_CSIZE, ENUM(tty_sizes)),			\
	       CHOICE(~(uint64_t)(V_CBAUD | V_CSIZE), FLAGS(tty_cflags)))

#define TTY_SETTINGS(id_, ctype_, characters_, ...)			\
	STRUCTURE(id_,							\
		FIELD(c_iflag, ctype_, FLAGS(tty_iflags)),		\
		FIELD(c_oflag, ctype_, TTY_OFLAGS(ctype_)),		\
		FIELD(c_cflag, ctype_, TTY_CFLAGS(ctype_)),		\
		FIELD(c_lflag, ctype_, FLAGS(tty_lflags)),		\
		FIELD(c_line, U8, ENUM_OF(U8, tty_lines),		\
		      .show = SHOW_VERBOSE),				\
		FIELD(c_cc, U8, HEX, .count = (characters_),		\
		      .index = &set_tty_characters,			\
		      .show = SHOW_VERBOSE) __VA_ARGS__)

#define TTY_SPEED(name_)						\
	, FIELD(name_, UINT, UDEC, .show = SHOW_VERBOSE)

TTY_SETTINGS(termios, UINT, 19);
TTY_SETTINGS(termios2, UINT, 19, TTY_SPEED(c_ispeed) TTY_SPEED(c_ospeed));
TTY_SETTINGS(termio, U16, 8);

#define TTY_READ(id_)	ARGS(OUT(argp, PTR_TO(id_)))
#define TTY_WRITTEN(id_)	ARGS(ARG(argp, PTR_TO(id_)))

IOCTL(TCGETS, TTY_READ(termios));
IOCTL(TCSETS, TTY_WRITTEN(termios));
IOCTL(TCSETSW, TTY_WRITTEN(termios));
IOCTL(TCSETSF, TTY_WRITTEN(termios));
IOCTL(TCGETS2, TTY_READ(termios2));
IOCTL(TCSETS2, TTY_WRITTEN(termios2));
IOCTL(TCSETSW2, TTY_WRITTEN(termios2));
IOCTL(TCSETSF2, TTY_WRITTEN(termios2));
IOCTL(TCGETA, TTY_READ(termio));
IOCTL(TCSETA, TTY_WRITTEN(termio));
IOCTL(TCSETAW, TTY_WRITTEN(termio));
IOCTL(TCSETAF, TTY_WRITTEN(termio));
IOCTL(TIOCGLCKTRMIOS, TTY_READ(termios));
IOCTL(TIOCSLCKTRMIOS, TTY_WRITTEN(termios));

/* ---- windows, owners, lines ---- */

STRUCTURE(winsize,
	FIELD(ws_row, U16, UDEC),
	FIELD(ws_col, U16, UDEC),
	FIELD(ws_xpixel, U16, UDEC),
	FIELD(ws_ypixel, U16, UDEC));

IOCTL(TIOCGWINSZ, TTY_READ(winsize));
IOCTL(TIOCSWINSZ, TTY_WRITTEN(winsize));

#define NUMBER_READ	ARGS(OUT(argp, PTR(DEC)))
#define NUMBER_WRITTEN	ARGS(ARG(argp, PTR(DEC)))

IOCTL(TIOCGPGRP, ARGS(OUT(argp, PTR(PID))));
IOCTL(TIOCSPGRP, ARGS(ARG(argp, PTR(PID))));
IOCTL(TIOCGSID, ARGS(OUT(argp, PTR(PID))));
IOCTL(TIOCSCTTY, ARGS(ARG(arg, DEC_OF(LONG))));
IOCTL(TCSBRK, ARGS(ARG(arg, DEC_OF(LONG))));
IOCTL(TCSBRKP, ARGS(ARG(arg, DEC_OF(LONG))));
IOCTL(TCXONC, ARGS(ARG(arg, ENUM_OF(ULONG, tty_flow))));
IOCTL(TCFLSH, ARGS(ARG(arg, ENUM_OF(ULONG, tty_queues))));
IOCTL(TIOCSTI, ARGS(ARG(argp, BYTES(N(1)))));
IOCTL(TIOCMGET, ARGS(OUT(argp, PTR(FLAGS(modem_lines)))));
IOCTL(TIOCMSET, ARGS(ARG(argp, PTR(FLAGS(modem_lines)))));
IOCTL(TIOCMBIS, ARGS(ARG(argp, PTR(FLAGS(modem_lines)))));
IOCTL(TIOCMBIC, ARGS(ARG(argp, PTR(FLAGS(modem_lines)))));
IOCTL(TIOCGETD, NUMBER_READ);
IOCTL(TIOCSETD, NUMBER_WRITTEN);
IOCTL(TIOCGEXCL, NUMBER_READ);
IOCTL(TIOCGSOFTCAR, NUMBER_READ);
IOCTL(TIOCSSOFTCAR, NUMBER_WRITTEN);
IOCTL(TIOCOUTQ, NUMBER_READ);
IOCTL(TIOCNOTTY, NO_ARGS);
IOCTL(TIOCEXCL, NO_ARGS);
IOCTL(TIOCNXCL, NO_ARGS);
IOCTL(TIOCVHANGUP, NO_ARGS);
IOCTL(TIOCCONS, NO_ARGS);
IOCTL(TIOCSSERIAL, NO_ARGS);
IOCTL(TIOCSBRK, NO_ARGS);
IOCTL(TIOCCBRK, NO_ARGS);

/* ---- pseudo-terminals ---- */

IOCTL(TIOCGPTN, NUMBER_READ);
IOCTL(TIOCGDEV, NUMBER_READ);
IOCTL(TIOCGPKT, ARGS(ARG(argp, HEXLONG)));
IOCTL(TIOCGPTLCK, ARGS(ARG(argp, HEXLONG)));
IOCTL(TIOCSPTLCK, ARGS(ARG(lock, PTR(DEC))));
IOCTL(TIOCPKT, ARGS(ARG(mode, PTR(DEC))));

/* ---- any descriptor ---- */

IOCTL(FIONREAD, NUMBER_READ);
IOCTL(FIONBIO, NUMBER_WRITTEN);
IOCTL(FIOASYNC, NUMBER_WRITTEN);
IOCTL(FIOCLEX, NO_ARGS);
IOCTL(FIONCLEX, NO_ARGS);
