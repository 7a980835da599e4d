#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The manual page and -h tell the same options, and the page is well made."""

import os
import re
import shutil

from tap import TOP_SRCDIR, TRACER, done, is_eq, ok, run, skip

PAGE = os.path.join(TOP_SRCDIR, 'tracer.1')
OPTION = re.compile(r'(?<![\w-])(--[a-z][a-z0-9-]*|-[A-Za-z])(?![\w-])')
QUALIFIER = re.compile(r'-e (\w[\w-]*)=')


def found(texts):
    options = set()
    for text in texts:
        options.update(OPTION.findall(text))
        options.update('-e %s=' % name for name in QUALIFIER.findall(text))
    return options


def page_tags():
    """The lines that name what a paragraph is about, as plain text."""
    with open(PAGE) as file:
        lines = file.read().splitlines()
    for before, text in zip(lines, lines[1:]):
        if re.match(r'\.T[PQ]', before):
            text = re.sub(r'^\.[BIR]+ ', '', text)
            yield (text.replace('\\-', '-').replace('\\~', ' ')
                   .replace('"', ''))


def help_forms(text):
    """What stands left in -h."""
    for line in text.splitlines():
        if line.startswith('  -'):
            yield re.split(r'\s{2,}', line.strip())[0]


help_text = run([TRACER, '-h']).stdout
in_help = found(help_forms(help_text))
in_page = found(page_tags())
ok(len(in_help) > 80, 'there are many options', sorted(in_help))
is_eq(sorted(in_help - in_page), [], 'options of -h are in the manual page')
is_eq(sorted(in_page - in_help), [], 'options of the page are in -h')

for option in sorted(in_help):
    if option.startswith('--'):
        # With an argument too much or none: it must at least be known.
        result = run([TRACER, option, '-h'])
        ok('unrecognized' not in result.stderr, option + ' is known')

if shutil.which('groff'):
    result = run(['groff', '-man', '-ww', '-Tutf8', '-z', PAGE])
    is_eq((result.status, result.stderr), (0, ''), 'groff has no warning')
else:
    skip('groff has no warning', 'groff is not installed')
done()
