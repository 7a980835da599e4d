# SPDX-License-Identifier: LGPL-2.1-or-later
"""What calls that wait for descriptors look like."""

from decode import lines, some
from tap import done

lines('decode-poll', 'poll,ppoll,select,pselect6,/epoll,/eventfd', r'''
poll([{fd=20, events=POLLIN}, {fd=21, events=POLLOUT}, {fd=-1}, {fd=40, events=POLLRDNORM}], 4, 0) = 3 ([{fd=20, revents=POLLIN}, {fd=21, revents=POLLOUT}, {fd=40, revents=POLLNVAL}])
poll([{fd=21, events=POLLIN|POLLOUT}], 1, -1) = 1 ([{fd=21, revents=POLLOUT}])
poll([{fd=21, events=POLLIN}], 1, 1) = 0 (Timeout)
poll(NULL, 0, 0) = 0 (Timeout)
poll(0x7fff0000, 1, 0) = -1 EFAULT (Bad address)
poll([{fd=20, events=POLLIN}, ... /* PTR */], 2, 0) = -1 EFAULT (Bad address)
poll([{fd=20, events=POLLIN|POLL_BUSY_LOOP}], 1, 1) = 1 ([{fd=20, revents=POLLIN}])
poll([{fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, {fd=-1}, ...], 40, 0) = 2 ([{fd=20, revents=POLLIN}, {fd=20, revents=POLLIN}])
ppoll([{fd=20, events=POLLIN}], 1, {tv_sec=1, tv_nsec=5}, [USR1], 8) = 1 ([{fd=20, revents=POLLIN}], left {tv_sec=0, tv_nsec=NUM})
ppoll([{fd=21, events=POLLIN}], 1, {tv_sec=0, tv_nsec=5000}, NULL, 8) = 0 (Timeout)
ppoll([{fd=20, events=POLLIN}], 1, {tv_sec=1, tv_nsec=5}, PTR, 4) = -1 EINVAL (Invalid argument)
ppoll(0x7fff0000, 1, 0x7fff0000, 0x7fff0000, 8) = -1 EFAULT (Bad address)
select(22, [1 20], [21], [5], {tv_sec=1, tv_usec=5}) = -1 EBADF (Bad file descriptor)
select(22, [20], NULL, NULL, NULL) = 1 (in [20])
select(22, [21], NULL, NULL, {tv_sec=0, tv_usec=100}) = 0 (Timeout)
select(0, NULL, NULL, NULL, {tv_sec=0, tv_usec=0}) = 0 (Timeout)
select(-1, NULL, NULL, NULL, {tv_sec=0, tv_usec=1}) = -1 EINVAL (Invalid argument)
select(1, 0x7fff0000, NULL, NULL, {tv_sec=0, tv_usec=0}) = -1 EFAULT (Bad address)
select(1, NULL, NULL, NULL, 0x7fff0000) = -1 EFAULT (Bad address)
select(22, [21], [], [], {tv_sec=0, tv_usec=0}) = 0 (Timeout)
select(22, [20], [21], [], NULL) = 2 (in [20], out [21])
pselect6(22, [20], [21], NULL, {tv_sec=1, tv_nsec=5}, {sigmask=[USR1], sigsetsize=8}) = 2 (in [20], out [21], left {tv_sec=0, tv_nsec=NUM})
pselect6(22, [21], NULL, NULL, {tv_sec=0, tv_nsec=1000}, NULL) = 0 (Timeout)
pselect6(22, [20], NULL, NULL, NULL, {sigmask=NULL, sigsetsize=8}) = 1 (in [20])
pselect6(22, [20], NULL, NULL, NULL, 0x7fff0000) = -1 EFAULT (Bad address)
pselect6(22, [20], NULL, NULL, {tv_sec=0, tv_nsec=0}, {sigmask=PTR, sigsetsize=7}) = -1 EINVAL (Invalid argument)
epoll_create(1) = NUM
epoll_create(0) = -1 EINVAL (Invalid argument)
epoll_create1(EPOLL_CLOEXEC) = NUM
epoll_create1(0x5 /* EPOLL_??? */) = -1 EINVAL (Invalid argument)
epoll_ctl(NUM, EPOLL_CTL_ADD, 20, {events=EPOLLIN, data=0xdeadbeef}) = 0
epoll_ctl(NUM, EPOLL_CTL_ADD, 21, {events=EPOLLIN|EPOLLRDHUP|EPOLLET, data=0x1234567812345678}) = 0
epoll_ctl(NUM, EPOLL_CTL_MOD, 20, {events=EPOLLIN|EPOLLOUT, data=0x7}) = 0
epoll_ctl(NUM, EPOLL_CTL_DEL, 21, NULL) = 0
epoll_ctl(NUM, EPOLL_CTL_DEL, 21, PTR) = -1 ENOENT (No such file or directory)
epoll_ctl(NUM, 0x9 /* EPOLL_CTL_??? */, 21, {events=EPOLLIN, data=0x2}) = -1 EINVAL (Invalid argument)
epoll_ctl(NUM, EPOLL_CTL_MOD, 21, {events=0, data=0}) = -1 ENOENT (No such file or directory)
epoll_ctl(NUM, EPOLL_CTL_MOD, 21, {events=EPOLLNVAL|EPOLLRDNORM|EPOLLRDBAND|EPOLLWRNORM|EPOLLWRBAND|EPOLLMSG|0xa000800, data=0}) = -1 ENOENT (No such file or directory)
epoll_ctl(-1, EPOLL_CTL_ADD, -5, 0x7fff0000) = -1 EFAULT (Bad address)
epoll_wait(NUM, [{events=EPOLLIN, data=0x7}], 10, 0) = 1
epoll_wait(NUM, [{events=EPOLLIN, data=0x7}], 1, -1) = 1
epoll_wait(NUM, PTR, 0, 0) = -1 EINVAL (Invalid argument)
epoll_wait(NUM, 0x7fff0000, 3, 0) = -1 EFAULT (Bad address)
epoll_pwait(NUM, [{events=EPOLLIN, data=0x7}], 10, 0, [USR1], 8) = 1
epoll_pwait(NUM, PTR, 10, 0, PTR, 9) = -1 EINVAL (Invalid argument)
epoll_pwait2(NUM, [{events=EPOLLIN, data=0x7}], 10, {tv_sec=0, tv_nsec=0}, [HUP INT], 8) = 1
epoll_pwait2(NUM, [{events=EPOLLIN, data=0x7}], 10, NULL, NULL, 8) = 1
epoll_ctl(NUM, EPOLL_CTL_DEL, 20, NULL) = 0
epoll_pwait2(NUM, [], 10, {tv_sec=0, tv_nsec=1}, NULL, 8) = 0
eventfd(5) = NUM
eventfd2(4294967295, EFD_SEMAPHORE|EFD_CLOEXEC|EFD_NONBLOCK) = NUM
eventfd2(0, 0x8 /* EFD_??? */) = -1 EINVAL (Invalid argument)
poll([{fd=21, events=POLLIN|POLLOUT}, ... /* PTR */], 2, 0) = -1 EFAULT (Bad address)
poll(NULL, 0, 0) = 0 (Timeout)
poll(NULL, 1, 0) = -1 EFAULT (Bad address)
poll([], 0, 0) = 0 (Timeout)
select(0, 0x7fff0000, 0x1, 0x2, {tv_sec=0, tv_usec=0}) = 0 (Timeout)
select(-1, 0x7fff0000, NULL, NULL, NULL) = ...
select(64, PTR, NULL, NULL, {tv_sec=0, tv_usec=0}) = -1 EFAULT (Bad address)
select(22, NULL, [20 21], NULL, {tv_sec=0, tv_usec=0}) = 1 (out [21], left {tv_sec=0, tv_usec=0})
''')

# Arguments name the files behind descriptors, results do not.
some('decode-poll', 'poll,select', r'''
poll([{fd=21<pipe:[NUM]>, events=POLLIN|POLLOUT}], 1, -1) = 1 ([{fd=21, revents=POLLOUT}])
select(22, [20<pipe:[NUM]>], NULL, NULL, NULL) = 1 (in [20])
''', '-y')

some('decode-poll', 'poll,ppoll,select,pselect6,/epoll,/eventfd', r'''
poll([{fd=21, events=0x5}, ... /* PTR */], 2, 0) = -1 EFAULT (Bad address)
''', '-X', 'raw')

some('decode-poll', 'poll,ppoll,select,pselect6,/epoll,/eventfd', r'''
poll([{fd=21, events=0x5 /* POLLIN|POLLOUT */}, ... /* PTR */], 2, 0) = -1 EFAULT (Bad address)
''', '-X', 'verbose')

done()
