# SPDX-License-Identifier: LGPL-2.1-or-later
"""Debug files from servers: only if that is asked for."""

import ctypes
import http.server
import json
import os
import shutil
import subprocess
import threading

from tap import (done, is_eq, like, need, ok, run_tracer, skip, skip_all,
                 tmpdir, tracee)
from unwind_cases import PLAIN, has_unwinder

UNWINDERS = [name for name in ('cfi', 'libdw', 'libunwind')
             if has_unwinder(name)]
PROGRAM = os.path.join(tmpdir(), 'unwind-without-symbols')
DEBUG_FILE = os.path.join(tmpdir(), 'debug-file')

asked = []


class Server(http.server.BaseHTTPRequestHandler):
    """Has the debug file of whatever it is asked for."""

    def do_GET(self):
        asked.append(self.path)
        with open(DEBUG_FILE, 'rb') as file:
            content = file.read()
        self.send_response(200)
        self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


def strip():
    shutil.copy(tracee('unwind'), PROGRAM)
    subprocess.run(['objcopy', '--only-keep-debug', PROGRAM, DEBUG_FILE],
                   check=True)
    subprocess.run(['strip', PROGRAM], check=True)


def stack(url, unwinder, *options):
    """The stack of a mark, and what was asked of the server for it."""
    del asked[:]
    result = run_tracer(
        '--unwinder=' + unwinder, '--format=json', '-kk', '-e',
        'trace=access', *options, PROGRAM, 'plain',
        env={'DEBUGINFOD_URLS': url, 'DEBUGINFOD_CACHE_PATH': os.path.join(
            tmpdir(), 'cache-' + unwinder), 'no_proxy': '*'})
    for line in result.lines:
        if 'mark:plain' in line:
            return json.loads(line)['stack']
    ok(False, 'the mark is seen', result.trace, result.stderr)
    return []


def has_library():
    try:
        ctypes.CDLL('libdebuginfod.so.1')
    except OSError:
        return False
    return True


def check(url, unwinder):
    title = unwinder + ': '
    frames = stack(url, unwinder)
    is_eq(asked, [], title + 'no server is asked without the option')
    is_eq(frames[0].get('symbol'), None, title + 'so there are no names')
    if not has_library():
        skip(title + 'asking a server', 'libdebuginfod is not installed')
        return
    frames = stack(url, unwinder, '--debuginfod')
    build_id = frames[0].get('build_id')
    if not build_id:
        skip(title + 'asking a server', 'the program has no build-id')
        return
    ok('/buildid/%s/debuginfo' % build_id in asked,
       title + 'it is asked with it', asked)
    is_eq([frame.get('symbol') for frame in frames[:5]], PLAIN,
          title + 'and what it sends has names')
    like(frames[1].get('file', ''), r'(^|/)tests/tracees/unwind\.c$',
         title + 'and lines')
    frames = stack(url, unwinder, '--debuginfod')
    is_eq([path for path in asked if build_id in path], [],
          title + 'once: then it is in the cache')
    is_eq(frames[0].get('symbol'), 'mark', title + 'from where it comes')


def main():
    if not UNWINDERS:
        skip_all('this build has no unwinder')
    need('objcopy', 'strip')
    strip()
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        for unwinder in UNWINDERS:
            check('http://127.0.0.1:%d/' % server.server_port, unwinder)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    if not has_library():
        like(run_tracer('-k', '--debuginfod', 'true').stderr,
             'libdebuginfod.* is not there', 'its absence is told')
    done()


main()
