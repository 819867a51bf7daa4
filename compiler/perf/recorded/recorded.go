// Package recorded compiles the samples and the side-band records of an open perf.data. It turns
// the attributes and records that runtime/perf has read into a unit of IR.
package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/perf"
	"github.com/tracec/tracec/runtime/perf"
)

// Target returns the machine of a recording without tracepoints.
func Target(rec *perf.Recording) ir.Target {
	m := rec.Machine()
	return ir.Target{BigEndian: m.BigEndian, WordSize: m.WordSize}
}

// Unit compiles the events that match selects and that are not tracepoints. If two attributes have
// the same name, only the first is compiled. A decoder reads the other one by its layout.
func Unit(rec *perf.Recording, match func(system, name string) bool) (u *ir.Unit, errs []error) {
	u = &ir.Unit{
		Lang: "perf", Container: "github.com/tracec/tracec/runtime/perf", Entries: true, Sequential: true,
		Source: rec.Name(), Target: Target(rec),
	}
	told := map[string]bool{}
	for _, e := range rec.Events() {
		if e.IsTracepoint() || told[e.Name] || !match("", e.Name) {
			continue
		}
		told[e.Name] = true
		ev, err := compiler.Compile(e, u.Target.BigEndian)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", e.Name, err))
			continue
		}
		if len(ev.Fields) > 1 {
			u.Events = append(u.Events, ev)
		}
	}
	slices.SortStableFunc(u.Events, func(a, b *ir.Event) int { return strings.Compare(a.Name, b.Name) })
	return u, errs
}
