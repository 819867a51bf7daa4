// Package recorded compiles the markers of an open trace of runtime/lttng, by compiler/lttng.
package recorded

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
)

// Rules returns the rules of the dialect of a trace.
func Rules(info *lttng.Info) compiler.Rules {
	r := compiler.Rules{BigEndian: info.BigEndian}
	switch info.Dialect {
	case lttng.V07, lttng.V08:
		r.Era = compiler.Era08
	case lttng.V10, lttng.Seed:
		r.Era = compiler.Era1
	}
	return r
}

// Target returns the machine that recorded.
func Target(info *lttng.Info) ir.Target {
	return ir.Target{BigEndian: info.BigEndian, WordSize: info.WordSize}
}

// Traces returns the traces of a recording. Traces of wide machines come first: values recorded by
// a 32-bit program fit into the fields of a 64-bit program, but not the other way round.
func Traces(rec *lttng.Recording) []*lttng.Trace {
	return slices.SortedStableFunc(slices.Values(rec.Traces()), func(a, b *lttng.Trace) int {
		return cmp.Compare(b.Info().WordSize, a.Info().WordSize)
	})
}

// Unit compiles the markers of a recording that match selects, for the machine of the first of
// [Traces]. Group is the channel, or the facility in 0.x. It is empty where ids apply to the whole
// trace (1.0 to 2.2). The errors name the omitted markers: markers with a format that cannot be
// laid out, and a second marker with the same name. Several traces of a set may describe the same
// marker. It is an error if events of one trace cannot be converted into events of the first trace
// with this marker.
func Unit(rec *lttng.Recording, match func(channel, name string) bool) (u *ir.Unit, errs []error) {
	traces := Traces(rec)
	u = &ir.Unit{Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng", Entries: true, Sequential: true,
		Source: rec.Name(), Target: Target(traces[0].Info())}
	seen := map[[2]string]described{}
	for _, tr := range traces {
		rules := Rules(tr.Info())
		rules.BigEndian = u.Target.BigEndian
		for _, m := range tr.Markers() {
			if !match(m.Channel, m.Name) {
				continue
			}
			key := [2]string{m.Channel, m.Name}
			if first, ok := seen[key]; ok {
				errs = append(errs, first.again(m)...)
				continue
			}
			seen[key] = described{m, layout.Event(m, rules.BigEndian)}
			ev, err := Compile(m, rules)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			u.Events = append(u.Events, ev)
		}
	}
	return u, errs
}

// described is the first marker with a name.
type described struct {
	marker *lttng.Marker
	layout bind.Event
}

// again checks another marker with the same name.
func (d described) again(m *lttng.Marker) []error {
	label := m.Name
	if m.Channel != "" {
		label = m.Channel + "." + m.Name
	}
	if m.Trace() == d.marker.Trace() {
		return []error{fmt.Errorf("%s: it is described twice", label)}
	}
	have := layout.Event(m, m.Trace().Info().BigEndian)
	if err := bind.Fits(&d.layout, &have, false); err != nil {
		return []error{fmt.Errorf("%s: %w: the code is for events of %s", m.Trace().Path(), err,
			d.marker.Trace().Path())}
	}
	return nil
}

// Compile compiles one marker of a trace.
func Compile(m *lttng.Marker, rules compiler.Rules) (*ir.Event, error) {
	return compiler.Compile(m, rules)
}
