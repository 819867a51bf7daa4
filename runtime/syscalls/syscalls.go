// Package syscalls has the names of Linux's system calls by machine and number. Recordings of
// raw_syscalls have numbers alone.
package syscalls

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:generate sh -c "go run ../../cmd/internal/syscalls > names.txt"

//go:embed names.txt
var names string

// tables are those of the names, by what uname calls the machine. A machine may run programs of
// another, whose calls have numbers of their own: those of mips do not overlap, so that both are
// there; elsewhere a number is that of the machine's own programs.
var tables = map[string][]string{
	"x86_64": {"amd64"}, "i386": {"386"}, "i486": {"386"}, "i586": {"386"}, "i686": {"386"},
	"aarch64": {"arm64"}, "loongarch64": {"loong64"}, "mips": {"mips"}, "mips64": {"mips64", "mips"},
	"ppc": {"ppc"}, "ppc64": {"ppc64"}, "ppc64le": {"ppc64"}, "riscv64": {"riscv64"},
	"s390x": {"s390x"}, "sparc64": {"sparc64"},
}

// Table has the names of a machine. It may be used by several goroutines.
type Table map[uint64]string

var (
	mu    sync.Mutex
	known = map[string]Table{}
)

// Of returns the names of a machine, which is what uname calls it. It is empty for one that is
// not known.
func Of(machine string) Table {
	from := tables[machine]
	if strings.HasPrefix(machine, "armv") {
		from = []string{"arm"}
	}
	mu.Lock()
	defer mu.Unlock()
	key := strings.Join(from, " ")
	t, ok := known[key]
	if !ok {
		t = Table{}
		for line := range strings.Lines(names) {
			t.read(strings.Fields(line), from)
		}
		known[key] = t
	}
	return t
}

// read adds the names of a line if they are of one of the tables.
func (t Table) read(words, from []string) {
	for _, table := range from {
		if table != words[0] {
			continue
		}
		first, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			panic(err) // of a file that is part of the program
		}
		for i, name := range words[2:] {
			t[first+uint64(i)] = name
		}
	}
}
