# SPDX-License-Identifier: LGPL-2.1-or-later
"""What calls about System V IPC and message queues look like."""

from decode import lines, some
from tap import done

lines('decode-ipc', '/^shm,/^sem,/^msg,/^mq_', r'''
shmget(IPC_PRIVATE, 4096, IPC_CREAT|0600) = NUM
shmget(0x41424344, 5, IPC_EXCL|SHM_NORESERVE|0600) = -1 ENOENT (No such file or directory)
shmctl(NUM, IPC_STAT, 0x7fff0000) = -1 EFAULT (Bad address)
shmctl(NUM, IPC_64|IPC_STAT, NULL) = -1 EINVAL (Invalid argument)
shmctl(-1, 0x63 /* SHM_??? */, 0x7fff0000) = -1 EINVAL (Invalid argument)
shmat(NUM, NULL, SHM_RDONLY) = STACK
shmdt(STACK) = 0
shmat(NUM, 0x1234, SHM_REMAP|SHM_EXEC) = -1 EINVAL (Invalid argument)
shmdt(NULL) = -1 EINVAL (Invalid argument)
shmctl(NUM, SHM_LOCK, NULL) = 0
shmctl(NUM, IPC_RMID, NULL) = 0
semget(IPC_PRIVATE, 3, IPC_CREAT|0600) = NUM
semget(0x41424344, -3, IPC_CREAT|IPC_EXCL|0600) = -1 EINVAL (Invalid argument)
semop(NUM, [{sem_num=0, sem_op=1, sem_flg=0}, {sem_num=1, sem_op=2, sem_flg=IPC_NOWAIT}], 2) = 0
semop(NUM, [{sem_num=0, sem_op=-5, sem_flg=SEM_UNDO|IPC_NOWAIT}], 1) = -1 EAGAIN (Resource temporarily unavailable)
semop(NUM, 0x7fff0000, 1) = -1 EFAULT (Bad address)
semop(NUM, [{sem_num=0, sem_op=1, sem_flg=0}, ... /* PTR */], 2) = -1 EFAULT (Bad address)
semtimedop(NUM, [{sem_num=0, sem_op=-9, sem_flg=0}], 1, {tv_sec=0, tv_nsec=1000}) = -1 EAGAIN (Resource temporarily unavailable)
semtimedop(NUM, [{sem_num=0, sem_op=1, sem_flg=0}], 1, NULL) = 0
semctl(NUM, 0, SETVAL, 0x5) = 0
semctl(NUM, 0, GETVAL, NULL) = 5
semctl(NUM, 0, SETALL, PTR) = 0
semctl(NUM, 0, GETALL, PTR) = 0
semctl(NUM, 0, IPC_STAT, 0x7fff0000) = -1 EFAULT (Bad address)
semctl(-1, 0, 0x63 /* SEM_??? */, 0x5) = -1 EINVAL (Invalid argument)
semctl(NUM, 0, IPC_RMID, NULL) = 0
msgget(IPC_PRIVATE, IPC_CREAT|0600) = NUM
msgsnd(NUM, {mtype=5, mtext="hello"}, 5, 0) = 0
msgsnd(NUM, 0x7fff0000, 5, IPC_NOWAIT) = -1 EFAULT (Bad address)
msgsnd(NUM, {mtype=-1, mtext="hello"}, 5, 0x7 /* MSG_??? */) = -1 EINVAL (Invalid argument)
msgrcv(NUM, {mtype=5, mtext="hello\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"...}, 92, -10, MSG_NOERROR|IPC_NOWAIT) = 5
msgrcv(NUM, PTR, 1, 0, IPC_NOWAIT) = -1 ENOMSG (No message of desired type)
msgctl(NUM, IPC_STAT, 0x7fff0000) = -1 EFAULT (Bad address)
msgctl(-1, 0x63 /* MSG_??? */, 0x7fff0000) = -1 EINVAL (Invalid argument)
msgctl(NUM, IPC_RMID, NULL) = 0
mq_open("tracee-PID", O_RDWR|O_CREAT|O_NONBLOCK, 0600, {mq_flags=0, mq_maxmsg=5, mq_msgsize=6, mq_curmsgs=7}) = NUM
mq_open(0x7fff0000, O_RDONLY) = -1 EFAULT (Bad address)
mq_timedsend(NUM, "hello", 5, 3, NULL) = 0
mq_timedsend(-1, 0x7fff0000, 2, 3, 0x7fff0000) = -1 EFAULT (Bad address)
mq_timedreceive(NUM, "hello", 6, [3], NULL) = 5
mq_timedreceive(NUM, PTR, 6, NULL, {tv_sec=1, tv_nsec=2}) = -1 EAGAIN (Resource temporarily unavailable)
mq_getsetattr(NUM, NULL, {mq_flags=O_NONBLOCK, mq_maxmsg=5, mq_msgsize=6, mq_curmsgs=0}) = 0
mq_getsetattr(NUM, {mq_flags=0, mq_maxmsg=1, mq_msgsize=2, mq_curmsgs=3}, {mq_flags=O_NONBLOCK, mq_maxmsg=5, mq_msgsize=6, mq_curmsgs=0}) = 0
mq_getsetattr(-1, 0x7fff0000, 0x7fff0000) = -1 EFAULT (Bad address)
mq_notify(NUM, 0x7fff0000) = -1 EFAULT (Bad address)
mq_notify(NUM, NULL) = 0
mq_unlink("tracee-PID") = 0
shmget(0xfffffffe, 0, 0x4000|0600) = -1 ENOENT (No such file or directory)
shmget(0x80000001, 0, IPC_CREAT|SHM_HUGETLB|21<<SHM_HUGE_SHIFT|0100) = ...
shmget(0x1, 18446744073709551615, IPC_EXCL|SHM_HUGETLB|0x3ff4000|21<<SHM_HUGE_SHIFT|000) = -1 ENOENT (No such file or directory)
semget(0x80000001, -1, IPC_NOWAIT|0x4000|0644) = ...
semget(0x1, -1, IPC_CREAT|IPC_EXCL|IPC_NOWAIT|0xfffff000|0777) = ...
msgget(0x80000001, IPC_NOWAIT|0x4000|0100) = -1 ENOENT (No such file or directory)
shmctl(-1, IPC_SET, PTR) = ...
semctl(-1, 0, IPC_SET, PTR) = ...
msgctl(-1, IPC_SET, PTR) = ...
semop(-1, [{sem_num=65535, sem_op=-1, sem_flg=SEM_UNDO|IPC_NOWAIT|0xe7ff}], 1) = ...
msgsnd(-1, PTR, 1, 0) = ...
msgsnd(-1, {mtype=5, mtext="CBA"}, 3, 0) = ...
msgsnd(-1, {mtype=5, mtext=PTR}, 9, IPC_NOWAIT) = ...
msgrcv(-1, PTR, 9, -5, MSG_NOERROR|MSG_EXCEPT|MSG_COPY) = ...
mq_open("none/at all", O_RDONLY|O_CREAT, 053200, 0x7fff0000) = -1 EFAULT (Bad address)
''')

some('decode-ipc', '/^shm,/^sem,/^msg,/^mq_', r'''
shmget(0x80000001, 0, 0xa00|21<<26|0100) = ...
shmget(0x1, 18446744073709551615, 0x3ff4c00|21<<26|000) = -1 ENOENT (No such file or directory)
semget(0x80000001, -1, 0x4800|0644) = ...
semget(0x1, -1, 0xfffffe00|0777) = ...
msgget(0x80000001, 0x4800|0100) = -1 ENOENT (No such file or directory)
shmctl(-1, 0x1, PTR) = ...
semctl(-1, 0, 0x1, PTR) = ...
msgctl(-1, 0x1, PTR) = ...
semop(-1, [{sem_num=65535, sem_op=-1, sem_flg=0xffff}], 1) = ...
msgsnd(-1, {mtype=5, mtext=PTR}, 9, 0x800) = ...
msgrcv(-1, PTR, 9, -5, 0x7000) = ...
mq_open("none/at all", 0x40, 053200, 0x7fff0000) = -1 EFAULT (Bad address)
''', '-X', 'raw')

some('decode-ipc', '/^shm,/^sem,/^msg,/^mq_', r'''
shmget(0x80000001, 0, 0xa00 /* IPC_CREAT|SHM_HUGETLB */|21<<26 /* SHM_HUGE_SHIFT */|0100) = ...
shmget(0x1, 18446744073709551615, 0x3ff4c00 /* IPC_EXCL|SHM_HUGETLB|0x3ff4000 */|21<<26 /* SHM_HUGE_SHIFT */|000) = -1 ENOENT (No such file or directory)
semget(0x80000001, -1, 0x4800 /* IPC_NOWAIT|0x4000 */|0644) = ...
semget(0x1, -1, 0xfffffe00 /* IPC_CREAT|IPC_EXCL|IPC_NOWAIT|0xfffff000 */|0777) = ...
msgget(0x80000001, 0x4800 /* IPC_NOWAIT|0x4000 */|0100) = -1 ENOENT (No such file or directory)
shmctl(-1, 0x1 /* IPC_SET */, PTR) = ...
semctl(-1, 0, 0x1 /* IPC_SET */, PTR) = ...
msgctl(-1, 0x1 /* IPC_SET */, PTR) = ...
semop(-1, [{sem_num=65535, sem_op=-1, sem_flg=0xffff /* SEM_UNDO|IPC_NOWAIT|0xe7ff */}], 1) = ...
msgsnd(-1, {mtype=5, mtext=PTR}, 9, 0x800 /* IPC_NOWAIT */) = ...
msgrcv(-1, PTR, 9, -5, 0x7000 /* MSG_NOERROR|MSG_EXCEPT|MSG_COPY */) = ...
mq_open("none/at all", 0x40 /* O_RDONLY|O_CREAT */, 053200, 0x7fff0000) = -1 EFAULT (Bad address)
''', '-X', 'verbose')

done()
