#!/usr/bin/env python3
"""Writes titles.txt: the names that perf evlist of this machine (6.1) has for attributes without a
recorded name. Each line is type, config, flags, bp_type, bp_addr, name. perf refuses tracepoints
without formats."""
import os, struct, subprocess, tempfile

GUEST, HOST = 1 << 20, 1 << 19
USER, KERNEL, HYPERVISOR, PRECISE = 1 << 4, 1 << 5, 1 << 6, 1 << 15
attrs = [(kind, config, GUEST, 0, 0) for kind in (0, 1) for config in range(13)]
attrs += [(3, cache | op << 8 | result << 16, GUEST, 0, 0)
          for cache in range(8) for op in range(4) for result in range(3)]
attrs += [(4, config, GUEST, 0, 0) for config in (0, 0x1c2, 0x1ffffffff)]
attrs += [(5, 0, GUEST, access, 0x1234) for access in range(8)]
attrs += [(8, 0x300e601, GUEST, 0, 0)]
flags = [machine | user | kernel | hypervisor | precise * PRECISE for machine in (0, GUEST, HOST, HOST | GUEST)
         for user in (0, USER) for kernel in (0, KERNEL) for hypervisor in (0, HYPERVISOR) for precise in range(4)]
attrs += [(0, 0, f, 0, 0) for f in flags]
attrs += [(kind, 0, f, 3, 0x1234) for kind in (1, 3, 4, 5) for f in flags[::7]]

head, entry, size = 104, 144, 128
place = head + len(attrs) * entry
records = place + 8 * len(attrs)
out = b"PERFILE2" + struct.pack("<QQQQQQQQ", head, entry, head, len(attrs) * entry, records, 8, 0, 0) + bytes(32)
for i, (kind, config, f, access, addr) in enumerate(attrs):
    attr = struct.pack("<IIQQQQQIIQ", kind, size, config, 1000, 1 << 16, 0, f, 0, access, addr)
    out += attr + bytes(size - len(attr)) + struct.pack("<QQ", place + 8 * i, 8)
out += b"".join(struct.pack("<Q", i + 1) for i in range(len(attrs)))
out += struct.pack("<IHH", 68, 0, 8)
with tempfile.NamedTemporaryFile() as file:
    file.write(out)
    file.flush()
    text = subprocess.run(["perf", "evlist", "-i", file.name], stdout=subprocess.PIPE, check=True).stdout.decode()
with open(os.path.join(os.path.dirname(__file__), "titles.txt"), "w") as to:
    for (kind, config, f, access, addr), name in zip(attrs, text.splitlines(), strict=True):
        print(kind, hex(config), hex(f), access, hex(addr), name, file=to)
