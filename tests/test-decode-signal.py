# SPDX-License-Identifier: LGPL-2.1-or-later
"""Signals: sets, actions, and what a siginfo says by its code."""

from decode import lines, some
from tap import done

lines('decode-signal', '/^rt_sig,/^sig,kill,tkill,tgkill', r'''
rt_sigprocmask(SIG_BLOCK, [], NULL, 8) = 0
rt_sigprocmask(SIG_BLOCK, [HUP], [], 8) = 0
rt_sigprocmask(SIG_UNBLOCK, [HUP RTMIN], [HUP], 8) = 0
rt_sigprocmask(SIG_SETMASK, ~[], NULL, 8) = 0
rt_sigprocmask(SIG_SETMASK, [HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS RTMIN RT_1 RT_2 RT_3 RT_4 RT_5 RT_6 RT_7 RT_8 RT_9], NULL, 8) = 0
rt_sigprocmask(SIG_SETMASK, ~[RT_11 RT_12 RT_13 RT_14 RT_15 RT_16 RT_17 RT_18 RT_19 RT_20 RT_21 RT_22 RT_23 RT_24 RT_25 RT_26 RT_27 RT_28 RT_29 RT_30 RT_31 RT_32], NULL, 8) = 0
rt_sigprocmask(SIG_SETMASK, [], [HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS RTMIN RT_1 RT_2 RT_3 RT_4 RT_5 RT_6 RT_7 RT_8 RT_9 RT_10], 8) = 0
rt_sigprocmask(0x3 /* SIG_??? */, 0x7fff0000, NULL, 8) = -1 EFAULT (Bad address)
rt_sigprocmask(SIG_BLOCK, PTR, PTR, 4) = -1 EINVAL (Invalid argument)
rt_sigpending([], 8) = 0
rt_sigpending(0x7fff0000, 8) = -1 EFAULT (Bad address)
rt_sigsuspend(PTR, 9) = -1 EINVAL (Invalid argument)
rt_sigtimedwait([USR1], PTR, {tv_sec=0, tv_nsec=1000}, 8) = -1 EAGAIN (Resource temporarily unavailable)
rt_sigtimedwait(0x7fff0000, 0x7fff0000, 0x7fff0000, 8) = -1 EFAULT (Bad address)
rt_sigaction(SIGUSR1, NULL, {sa_handler=SIG_DFL, sa_mask=[], sa_flags=0}, 8) = 0
rt_sigaction(SIGUSR1, {sa_handler=SIG_IGN, sa_mask=[], sa_flags=0}, NULL, 8) = 0
rt_sigaction(SIGUSR1, {sa_handler=0x123456, sa_mask=[HUP USR1], sa_flags=SA_RESTORER|SA_RESTART|SA_SIGINFO, sa_restorer=0x5678}, {sa_handler=SIG_IGN, sa_mask=[], sa_flags=0}, 8) = 0
rt_sigaction(SIGKILL, {sa_handler=SIG_ERR, sa_mask=~[HUP], sa_flags=SA_ONSTACK|SA_RESTART|SA_INTERRUPT|SA_NODEFER|SA_RESETHAND|0x3000000}, PTR, 8) = -1 EINVAL (Invalid argument)
rt_sigaction(65, 0x7fff0000, 0x7fff0000, 8) = -1 EFAULT (Bad address)
rt_sigaction(SIGRT_32, NULL, NULL, 9) = -1 EINVAL (Invalid argument)
rt_sigaction(SIGUSR1, {sa_handler=SIG_DFL, sa_mask=[], sa_flags=0}, {sa_handler=0x123456, sa_mask=[HUP USR1], sa_flags=SA_RESTORER|SA_RESTART|SA_SIGINFO, sa_restorer=0x5678}, 8) = 0
rt_sigqueueinfo(2147483632, SIGCHLD, {si_signo=SIGCHLD, si_code=SI_QUEUE, si_pid=55, si_uid=66, si_int=-559038737, si_ptr=0xdeadbeef}) = -1 ESRCH (No such process)
rt_sigqueueinfo(2147483632, SIGCHLD, {si_signo=SIGCHLD, si_code=SI_QUEUE, si_errno=EIO, si_pid=55, si_uid=66}) = -1 ESRCH (No such process)
rt_sigqueueinfo(2147483632, SIGRT_1, {si_signo=SIGRT_1, si_code=SI_MESGQ, si_pid=1, si_uid=2, si_int=3, si_ptr=0x3}) = -1 ESRCH (No such process)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=SI_USER, si_errno=999, si_pid=55, si_uid=66}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=SI_TKILL, si_pid=55, si_uid=66}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=SI_TIMER, si_timerid=0x37, si_overrun=66, si_int=77, si_ptr=0x4d}) = -1 ESRCH (No such process)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=SI_SIGIO, si_band=7, si_fd=3}) = -1 ESRCH (No such process)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=SI_KERNEL}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGUSR1, {si_signo=SIGUSR1, si_code=0x4d, si_pid=1, si_uid=2, si_int=3, si_ptr=0x3}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGCHLD, {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=100, si_uid=200, si_status=300, si_utime=400 /* 4.00 s */, si_stime=5 /* 0.05 s */}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGCHLD, {si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=100, si_uid=200, si_status=SIGKILL, si_utime=0, si_stime=0}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGCHLD, {si_signo=SIGCHLD, si_code=0x7, si_pid=100, si_uid=200, si_status=0, si_utime=0, si_stime=0}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGSEGV, {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=0x1000}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGSEGV, {si_signo=SIGSEGV, si_code=SEGV_BNDERR, si_addr=0x1000, si_lower=0x2000, si_upper=0x3000}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGSEGV, {si_signo=SIGSEGV, si_code=SEGV_PKUERR, si_addr=0x1000, si_pkey=77}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGBUS, {si_signo=SIGBUS, si_code=BUS_MCEERR_AR, si_addr=0x1000, si_addr_lsb=0xc}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGFPE, {si_signo=SIGFPE, si_code=FPE_INTDIV, si_addr=NULL}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGILL, {si_signo=SIGILL, si_code=0x63, si_addr=0x1000}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGTRAP, {si_signo=SIGTRAP, si_code=TRAP_BRKPT, si_addr=0x1000}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGIO, {si_signo=SIGIO, si_code=POLL_IN, si_band=7, si_fd=3}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGIO, {si_signo=SIGIO, si_code=0x7}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGSYS, {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=0x1000, si_syscall=__NR_write, si_arch=AUDIT_ARCH_X86_64}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, SIGSYS, {si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=0x1000, si_syscall=9999, si_arch=AUDIT_ARCH_I386}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, 0, {}) = -1 EPERM (Operation not permitted)
rt_sigqueueinfo(2147483632, 65, 0x7fff0000) = -1 EFAULT (Bad address)
kill(2147483632, SIGTERM) = -1 ESRCH (No such process)
kill(-2147483632, 0) = -1 ESRCH (No such process)
tkill(2147483632, SIGRTMIN) = -1 ESRCH (No such process)
tgkill(2147483632, -1, 65) = -1 EINVAL (Invalid argument)
sigaltstack({ss_sp=0x1000, ss_flags=0, ss_size=8192}, {ss_sp=NULL, ss_flags=SS_DISABLE, ss_size=0}) = 0
sigaltstack({ss_sp=0x1000, ss_flags=SS_ONSTACK|SS_DISABLE|0x4, ss_size=8192}, NULL) = -1 EINVAL (Invalid argument)
sigaltstack({ss_sp=0x1000, ss_flags=SS_DISABLE, ss_size=8192}, {ss_sp=0x1000, ss_flags=0, ss_size=8192}) = 0
sigaltstack(0x7fff0000, 0x7fff0000) = -1 EFAULT (Bad address)
signalfd(-1, PTR, 9) = -1 EINVAL (Invalid argument)
signalfd4(-2, [USR1], 8, SFD_CLOEXEC|SFD_NONBLOCK) = -1 EBADF (Bad file descriptor)
signalfd4(-2, 0x7fff0000, 8, 0x5 /* SFD_??? */) = -1 EFAULT (Bad address)
rt_sigprocmask(SIG_SETMASK, [BUS], NULL, 8) = 0
rt_sigaction(SIGUSR2, {sa_handler=STACK, sa_mask=[USR2], sa_flags=SA_RESTORER|SA_RESTART, sa_restorer=STACK}, {sa_handler=SIG_DFL, sa_mask=[], sa_flags=0}, 8) = 0
tkill(PID, SIGUSR2) = 0
rt_sigreturn({mask=[BUS]}) = 0
rt_sigpending(PTR, 0) = 0
rt_sigpending([], 3) = 0
rt_sigpending(PTR, 4) = -1 EFAULT (Bad address)
rt_sigpending(PTR, 9) = ...
rt_sigsuspend(PTR, 9) = ...
rt_sigtimedwait([HUP INT RT_20], NULL, 0x7fff0000, 8) = -1 EFAULT (Bad address)
rt_sigtimedwait(PTR, NULL, NULL, 4) = ...
sigaltstack({ss_sp=0x1, ss_flags=SS_ONSTACK|SS_AUTODISARM, ss_size=3}, NULL) = ...
sigaltstack({ss_sp=0x1, ss_flags=SS_ONSTACK|SS_DISABLE|SS_AUTODISARM|0x7ffffffc, ss_size=3}, 0x7fff0000) = ...
sigaltstack(PTR, NULL) = -1 EFAULT (Bad address)
''')

some('decode-signal', '/^rt_sig', r'''
rt_sigprocmask(0x1 /* SIG_UNBLOCK */, [1 /* HUP */ 32 /* RTMIN */], [1 /* HUP */], 8) = 0
rt_sigaction(9 /* SIGKILL */, {sa_handler=0xffffffffffffffff /* SIG_ERR */, sa_mask=~[1 /* HUP */], sa_flags=0xfb000000 /* SA_ONSTACK|SA_RESTART|SA_INTERRUPT|SA_NODEFER|SA_RESETHAND|0x3000000 */}, PTR, 8) = ...
rt_sigqueueinfo(2147483632, 17 /* SIGCHLD */, {si_signo=17 /* SIGCHLD */, si_code=0x1 /* CLD_EXITED */, si_pid=100, si_uid=200, si_status=300, si_utime=400 /* 4.00 s */, si_stime=5 /* 0.05 s */}) = ...
rt_sigqueueinfo(2147483632, 10 /* SIGUSR1 */, {si_signo=10 /* SIGUSR1 */, si_code=0x4d, si_pid=1, si_uid=2, si_int=3, si_ptr=0x3}) = ...
''', '-X', 'verbose')

some('decode-signal', '/^rt_sig', r'''
rt_sigprocmask(0x1, [1 32], [1], 8) = 0
rt_sigqueueinfo(2147483632, 17, {si_signo=17, si_code=0x1, si_pid=100, si_uid=200, si_status=300, si_utime=400, si_stime=5}) = ...
''', '-X', 'raw')

some('decode-signal', '/^rt_sig,tgkill,signalfd4', r'''
rt_sigtimedwait(set=[USR1], info=PTR, timeout={tv_sec=0, tv_nsec=1000}, sigsetsize=8) = ...
rt_sigreturn(sigmask={mask=[BUS]}) = 0
tgkill(tgid=2147483632, tid=-1, signum=65) = ...
signalfd4(fd=-2, mask=[USR1], sizemask=8, flags=SFD_CLOEXEC|SFD_NONBLOCK) = ...
''', '-N')

some('decode-signal', '/^rt_sig,/^sig,kill,tkill,tgkill', r'''
rt_sigtimedwait([1 2 52], NULL, 0x7fff0000, 8) = -1 EFAULT (Bad address)
sigaltstack({ss_sp=0x1, ss_flags=0x80000001, ss_size=3}, NULL) = ...
sigaltstack({ss_sp=0x1, ss_flags=0xffffffff, ss_size=3}, 0x7fff0000) = ...
''', '-X', 'raw')

done()
