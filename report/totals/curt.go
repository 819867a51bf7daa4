package totals

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
)

// Curt has the sums of the summaries that curt of AIX prints: docs/spec/tables.md section 11.
type Curt struct {
	total     modeTimes
	cpus      map[string]*modeTimes
	processes map[string]*modeTimes
	threads   map[string]*modeTimes
	calls     map[string]*handled
	handlers  map[string]map[string]*handled // by kind and name
	pending   []tables.Syscall

	ran       map[*tables.Thread]int32 // the processor of the latest dispatch
	again     int64                    // dispatches of a thread that has been dispatched before
	unmoved   int64                    // of them on the same processor
}

// modeTimes are times by mode.
type modeTimes struct {
	key   []string
	modes map[string]uint64
	sum   uint64
}

// handled sums calls, or runs of a handler.
type handled struct {
	name         string
	times        tables.Distribution // of the processor
	elapsed      uint64
	errors, open int64
}

// AddCurt adds the tables to a walk, in which they share the reading.
func AddCurt(w *tables.Walk) (*Curt, error) {
	c := &Curt{
		total: modeTimes{modes: map[string]uint64{}}, cpus: map[string]*modeTimes{}, processes: map[string]*modeTimes{},
		threads: map[string]*modeTimes{}, calls: map[string]*handled{}, handlers: map[string]map[string]*handled{},
		ran: map[*tables.Thread]int32{},
	}
	if err := tables.CPUModes.Collect(w, c.mode); err != nil {
		return nil, err
	}
	if err := tables.Syscalls.Collect(w, c.call); err != nil {
		return nil, err
	}
	return c, tables.Interrupts.Collect(w, c.handler)
}
