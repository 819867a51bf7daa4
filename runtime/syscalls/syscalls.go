// Package syscalls has the names of Linux's system calls by machine and number. Recordings of
// raw_syscalls have only numbers.
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

// tables lists the columns of names by the machine name of uname. A machine may run programs of
// another machine type with other numbers. The numbers of mips do not overlap, so its table has all
// of them. For other machines, a number belongs to the machine's own programs.
var tables = map[string][]string{
	"x86_64": {"amd64"}, "i386": {"386"}, "i486": {"386"}, "i586": {"386"}, "i686": {"386"},
	"aarch64": {"arm64"}, "loongarch64": {"loong64"}, "mips": {"mips"}, "mips64": {"mips64", "mips"},
	"ppc": {"ppc"}, "ppc64": {"ppc64"}, "ppc64le": {"ppc64"}, "riscv64": {"riscv64"},
	"s390x": {"s390x"}, "sparc64": {"sparc64"},
}

// A Table holds the names of a machine by number. It is safe for concurrent use.
type Table map[uint64]string

var (
	mu    sync.Mutex
	known = map[string]Table{}
)

// Of returns the names of a machine, given by its name in uname. The table of an unknown machine is
// empty.
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

// read adds the names of a line if the line is in one of the tables.
func (t Table) read(words, from []string) {
	for _, table := range from {
		if table != words[0] {
			continue
		}
		first, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			panic(err) // the file is part of the program
		}
		for i, name := range words[2:] {
			t[first+uint64(i)] = name
		}
	}
}
