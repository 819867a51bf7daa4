package ftrace

import (
	"sync"

	"github.com/tracec/tracec/runtime/ftrace/btf"
)

// texts are fetched and parsed at their first use. Many uses never need them.
type texts struct {
	// The functions fetch a text. A function is nil if the recording has no such text.
	kallsyms, printk, cmdlines, tgids, btf func() (string, error)
	once                                   struct{ kallsyms, printk, cmdlines, tgids, btf sync.Once }
	types                                  *btf.Types
	symbols                                *Symbols
	formatsByAddr                          map[uint64]string
	comms                                  map[int32]string
	tgid                                   map[int32]int
}
