#!/usr/bin/env python3
"""Writes recordings of perf with samples that our machines cannot record: made.py DIRECTORY.

They have branch stacks, sources of data, weights, registers of other architectures, what BPF
programs write and what perf inject makes of Intel PT. The texts in options.tar.zst are those of perf 6.1.187, 6.12.117 and 7.2.13.
"""
import os
import struct
import sys

(IP, TID, TIME, ADDR, READ, CHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCHES, UREGS, STACK, WEIGHT, SOURCE, IDENT,
 TRANSACTION, IREGS, PHYS, AUX, CGROUP, DATA_PAGE, CODE_PAGE, WEIGHTS) = [1 << i for i in range(25)]
BASE = IDENT | IP | TID | TIME | CPU | PERIOD
MEMORY = BASE | ADDR | SOURCE | TRANSACTION | PHYS | CGROUP | DATA_PAGE | CODE_PAGE
HARDWARE, SOFTWARE, RAWPMU, SYNTH = 0, 1, 4, 1 << 31
ANY = 8 | 1  # branches of user mode
KERNEL, PROGRAM = 0xffffffff81000000, 0x555500000000
START = 2_000_000_123
MACHINES = {'x86_64': 62, 'i686': 3, 'aarch64': 183, 'armv7l': 40, 'ppc64le': 21, 'riscv64': 243, 's390x': 22, 'mips': 8,
            'loongarch64': 258, 'csky': 252}


def u64(*values):
    return b''.join(struct.pack('<Q', v & (1 << 64) - 1) for v in values)


def string(text):
    b = text.encode() + b'\0'
    b += b'\0' * (-len(b) % 64)
    return struct.pack('<I', len(b)) + b


def padded(b):
    return b + b'\0' * (-len(b) % 8)


def trailer(tid, time):
    return struct.pack('<IIQIIQ', tid, tid, time, 0, 0, 1)


class Recording:
    def __init__(self, name, arch='x86_64'):
        self.name, self.arch, self.attrs, self.records, self.time = name, arch, [], b'', START

    def event(self, name, kind, config, sample_type, branches=0, regs=0):
        """Adds an event, whose id is its number from 1."""
        flags = 1 << 18 | 0x300  # sample_id_all, mmap and comm
        self.attrs.append((name, struct.pack(
            '<IIQQQQQIIQQQQIIQIHHIIQ', kind, 128, config, 1, sample_type, 0, flags, 0, 0, 0, 0, branches,
            regs if sample_type & UREGS else 0, 0, 0, regs if sample_type & IREGS else 0, 0, 0, 0, 0, 0, 0)))
        return self

    def record(self, kind, misc, body):
        body = padded(body)
        self.records += struct.pack('<IHH', kind, misc, 8 + len(body)) + body

    def start(self):
        """Adds a process 100 that is called hot, and its mapping."""
        self.mmap(-1, KERNEL, 0x1000000, KERNEL, '[kernel.kallsyms]_text', 1, trailer(0xffffffff, 0))
        self.record(3, 0, struct.pack('<II', 100, 100) + padded(b'hot\0') + trailer(100, 1000))
        self.mmap(100, PROGRAM, 0x5000, 0, '/opt/demo/hot', 2, trailer(100, 1000))
        return self

    def mmap(self, pid, addr, size, offset, file, misc, end):
        self.record(1, misc, struct.pack('<iIQQQ', pid, max(pid, 0), addr, size, offset) +
                    padded(file.encode() + b'\0') + end)

    def sample(self, *parts, misc=2, ip=PROGRAM + 0x1200, addr=None, id=1, step=1000):
        """Adds a sample whose parts behind the period are numbers and bytes."""
        body = u64(id, ip) + struct.pack('<II', 100, 100) + u64(self.time)
        if addr is not None:
            body += u64(addr)
        body += u64(1, 1000)
        self.time += step
        self.record(9, misc, body + b''.join(p if isinstance(p, bytes) else u64(p) for p in parts))

    def write(self, folder):
        ids = u64(*range(1, len(self.attrs) + 1))
        attrs = b''.join(a + u64(104 + 8 * i, 8) for i, (_, a) in enumerate(self.attrs))
        descriptions = struct.pack('<II', len(self.attrs), 128)
        for i, (name, a) in enumerate(self.attrs):
            descriptions += a + struct.pack('<I', 1) + string(name) + u64(i + 1)
        features = {
            3: string('host'), 4: string('6.1.0'), 5: string('6.1.0'), 6: string(self.arch), 7: struct.pack('<II', 2, 2),
            8: string('cpu'), 9: string('GenuineIntel,6,85,7'), 11: struct.pack('<I', 1) + string('perf'),
            12: descriptions, 33: struct.pack('<II', MACHINES[self.arch], 0),
        }
        at = 104 + len(ids) + len(attrs)
        out = b'PERFILE2' + u64(104, 144, 104 + len(ids), len(attrs), at, len(self.records), 0, 0,
                                sum(1 << n for n in features), 0, 0, 0) + ids + attrs + self.records
        place, table, sections = len(out) + 16 * len(features), b'', b''
        for n in sorted(features):
            table += u64(place + len(sections), len(features[n]))
            sections += features[n]
        with open(os.path.join(folder, self.name + '.data'), 'wb') as f:
            f.write(out + table + sections)


def branch(source, target, wrong=0, right=0, transaction=0, abort=0, cycles=0, kind=0, speculation=0, new=0, untaken=0):
    return u64(source, target, wrong | right << 1 | transaction << 2 | abort << 3 | cycles << 4 | kind << 20 |
               speculation << 24 | new << 26 | untaken << 33)


def branches():
    a, b = PROGRAM + 0x1200, PROGRAM + 0x1210
    some = [branch(a, b, wrong=1), branch(KERNEL + 0x100, a, right=1), branch(0x10, KERNEL + 0x2345),
            branch(a, 0, right=1, transaction=1, abort=1, cycles=12), branch(b, a, wrong=1, right=1)]
    stack = u64(len(some)) + b''.join(some)
    r = Recording('branches').event('cycles:u', HARDWARE, 0, BASE | BRANCHES, ANY).start()
    r.sample(stack)
    for n in range(16):
        r.sample(1, branch(a, b, right=1, kind=n, speculation=n & 3, cycles=n))
    for n in range(16):
        r.sample(1, branch(a, b, right=n & 1, wrong=n >> 1 & 1, untaken=n >> 2 & 1, kind=15, new=n))
    r.sample(0, misc=1, ip=KERNEL + 0x1200)
    yield r
    r = Recording('branches-index').event('cycles:u', HARDWARE, 0, BASE | BRANCHES, ANY | 1 << 17).start()
    r.sample(len(some), 7, *some)
    yield r
    r = Recording('branches-chain').event('cycles:u', HARDWARE, 0, BASE | BRANCHES | CHAIN, ANY).start()
    r.sample(3, -512, a, PROGRAM + 0x1300, stack)
    r.sample(5, -128, KERNEL + 0x1200, -512, a, PROGRAM + 0x1300, stack, misc=1, ip=KERNEL + 0x1200)
    yield r
    r = Recording('branches-regs').event('cycles:u', HARDWARE, 0, BASE | BRANCHES | UREGS, ANY, 0x3ff).start()
    r.sample(stack, 2, *range(10))
    yield r
    for name, chain, kind in (('branches-single', [], 0), ('branches-single-chain', [3, -512, a, PROGRAM + 0x1300], CHAIN)):
        r = Recording(name).event('branches:u', HARDWARE, 4, BASE | ADDR | kind).start()
        for ip in a, PROGRAM + 0x10f0, PROGRAM + 0x10, 0x10:
            r.sample(*chain, ip=ip, addr=PROGRAM + 0x1300)
        r.sample(*chain, misc=1, ip=KERNEL + 0x1200, addr=b)
        yield r


def accesses(r, source, weight=0x0003000200000001, transaction=0, addr=PROGRAM + 0x10, phys=0x1234000, size=4096, id=1):
    r.sample(weight, source, transaction, phys, size, size, size, addr=addr, id=id)


def memory():
    r = Recording('memory').event('mem-loads', RAWPMU, 0x1cd, MEMORY | WEIGHTS).start()
    far = 1 << 37
    for source in ([0, 0x1e05080021] + [1 << n for n in range(46)] + [2 | n << 33 for n in range(16)] +
                   [2 | far | n << 33 for n in range(16)] + [2 | far | n << 43 | 0xb << 33 for n in range(8)] +
                   [2 | n << 43 | 1 << 33 for n in range(8)] +
                   [0x42, 0x822, 0xe000002, 0x7f << 26 | 2, 0x3fff << 5 | 2, 0x1f << 19 | 2, 7 << 40 | 2, 3 << 38 | 2, 0x1f, -1,
                    6, 0xc, 0x18, 0x1e, 3 << 24, 6 << 40, 0x2000000c2, 0x6000000002, 0x2200000042, 0x200000082, 0x142, 0x182]):
        accesses(r, source)
    for size in (0, 1, 12345, 65536, 2 << 20, 1 << 30, 1 << 40):
        accesses(r, 2, size=size)
    accesses(r, 2, weight=-1, phys=-1, addr=-1)
    yield r
    r = Recording('memory-weight').event('cpu/mem-loads/', RAWPMU, 0x1cd, MEMORY | WEIGHT).start()
    accesses(r, 0x11868100242)
    accesses(r, 0x10268100142, weight=225)
    yield r
    r = Recording('kinds')
    kinds = (0, 1, 3, 4, 5, 6, 9)
    for kind in kinds:
        r.event('ev%d' % kind, kind, 0x1cd, MEMORY | WEIGHTS)
    r.start()
    for i in range(len(kinds)):
        accesses(r, 2, addr=PROGRAM + 0x1200, id=i + 1)
    yield r


def registers():
    for arch in MACHINES:
        r = Recording('regs-' + arch, arch).event('cycles', HARDWARE, 0, BASE | UREGS | IREGS, regs=(1 << 64) - 1).start()
        r.sample(2, *range(64), 2, *range(100, 164))
        r.sample(1, *range(64), 1, *range(100, 164))
        r.sample(0, 0)
        r.sample(0, 2, *range(100, 164))
        yield r


def raw(b):
    b += b'\0' * (-(4 + len(b)) % 8)
    return struct.pack('<I', len(b)) + b


def synth():
    r = Recording('synth')
    for n in range(9):
        r.event('synth%d' % n, SYNTH, n, BASE | RAW)
    r.start()
    for n in (0, 1, 2, 3, 4, 5, 6, 8):
        for b in (struct.pack('<IQQ', 1, 0x123456789abcdef0, 7), struct.pack('<IQQ', 2, 0xfedcba9876543210, 0),
                  struct.pack('<IQQ', 3, 0, 0x1234), struct.pack('<IIIQ', 0xffffffff, 4123456789, 0xffffffff, 0x555500001200),
                  struct.pack('<IIIQ', 0x00280010, 2400499, 0, 0), struct.pack('<I', 3)):
            r.sample(raw(b), id=n + 1)
    for b in (b'abc\0\0\0\0\0', b'abcdefgh', b'ab\ncd\0\0\0', b'\0abc\0\0\0\0', b'abc\0d\0\0\0', b'ab\xe9d\0\0\0\0'):
        r.sample(raw(struct.pack('<I', 1) + b), id=1)
    for n in range(32):
        r.sample(raw(struct.pack('<I', n | (n & 1) << 7 | n << 8)), id=8)
    for n in range(8):
        r.sample(raw(struct.pack('<IQQQQ', n | 2 << 16, n, 0x1234, 63 - n, 0xabcd)), id=8)
    yield r


def bpf():
    r = Recording('bpf').event('bpf-output', SOFTWARE, 10, BASE | RAW).start()
    for b in (b'hello world\0', b'a\0', b'\1\2\3\xff' * 9, b'0123456789abcdef' * 3, b'', bytes(range(256)),
              b'ab\0cd\0\0\0\0\0\0\0', b'ab\ncd\0\0\0\0\0\0\0'):
        r.sample(raw(b))
    yield r


def modes():
    r = Recording('modes').event('cycles', HARDWARE, 0, BASE).start()
    for misc in (0, 1, 2, 3, 6, 7, 0x4001, 0x4002):
        r.sample(misc=misc)
    yield r


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for kind in (branches, memory, registers, synth, bpf, modes):
        for r in kind():
            r.write(folder)
    with open(os.path.join(folder, 'kallsyms'), 'w') as f:
        for at, name in (0, '_text'), (0x100, 'kfun'), (0x2000, 'kother'), (0x1000000, '_end'):
            f.write('%x T %s\n' % (KERNEL + at, name))


main(sys.argv[1])
