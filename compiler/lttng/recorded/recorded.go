// Package recorded compiles the markers of an open trace: it turns what runtime/lttng read into the input of compiler/lttng.
package recorded

import (
	"cmp"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/runtime/lttng"
)

// Rules returns the rules of the dialect of a trace.
func Rules(info *lttng.Info) compiler.Rules {
	r := compiler.Rules{Natural: info.Dialect == lttng.V24 || info.Dialect == lttng.V25, BigEndian: info.BigEndian}
	switch info.Dialect {
	case lttng.V07, lttng.V08:
		r.Era = compiler.Era08
		if info.Alignment != 0 {
			r.StringPad = info.WordSize
		}
	case lttng.V10, lttng.Seed:
		r.Era = compiler.Era1
	}
	return r
}

// Target returns the machine that recorded.
func Target(info *lttng.Info) ir.Target {
	return ir.Target{BigEndian: info.BigEndian, WordSize: info.WordSize}
}

// Traces returns the traces of a recording, those of wide machines first: what a 32-bit program records fits into the fields of a
// 64-bit one, and not the other way round.
func Traces(rec *lttng.Recording) []*lttng.Trace {
	return slices.SortedStableFunc(slices.Values(rec.Traces()), func(a, b *lttng.Trace) int {
		return cmp.Compare(b.Info().WordSize, a.Info().WordSize)
	})
}

// Compile compiles one marker of a trace. Strings of 0.x are padded as its facility says, which may be of another word size
// than the trace.
func Compile(m *lttng.Marker, rules compiler.Rules) (*ir.Event, error) {
	for i := range m.Fields {
		if m.Fields[i].Size == 0 {
			rules.StringPad = m.Fields[i].PadAfter
		}
	}
	return compiler.Compile(compiler.Marker{
		Channel: m.Channel, Name: m.Name, Format: m.Format,
		Int: m.Int, Long: m.Long, Pointer: m.Pointer, SizeT: m.SizeT, Alignment: m.FieldAlignment(),
	}, rules)
}
