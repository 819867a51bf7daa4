package ftrace

import (
	"sync"

	"github.com/tracec/tracec/runtime/ftrace/btf"
)

// texts are fetched and parsed at their first use. Many uses never need them.
type texts struct {
	// The functions fetch a text. They are nil if the recording has none.
	kallsyms, printk, cmdlines, tgids, btf func() (string, error)
	once                                   struct{ kallsyms, printk, cmdlines, tgids, btf sync.Once }
	types                                  *btf.Types
	symbols                                *Symbols
	formatsByAddr                          map[uint64]string
	comms                                  map[int32]string
	tgid                                   map[int32]int
}
