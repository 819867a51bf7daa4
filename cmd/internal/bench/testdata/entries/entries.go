// Package entries has mistakes in callbacks that receive an entry before the event, of AIX, uftrace and LTTng.
package entries

import (
	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

var kept []any

func hooks(d *templates.Decoder) {
	var list []*templates.Interrupt
	d.Interrupt = func(r *record.Record, x *aix.Entry, e *templates.Interrupt) error {
		list = append(list, e) // want `event e, .* variable list`
		kept = append(kept, x) // want `event x, .* variable kept`
		return nil
	}
}

func functions(d *calls.Decoder) {
	var list []*calls.LeafArgs
	d.Leaf = func(r *record.Record, x *uftrace.Entry, e *calls.LeafArgs) error {
		list = append(list, e) // want `event e, .* variable list`
		kept = append(kept, x) // want `event x, .* variable kept`
		return nil
	}
}

func events(d *markers.Decoder) {
	var list []*markers.FDStateFileDescriptor
	d.FDStateFileDescriptor = func(r *record.Record, x *lttng.Entry, e *markers.FDStateFileDescriptor) error {
		list = append(list, e) // want `event e, .* variable list`
		kept = append(kept, x) // want `event x, .* variable kept`
		return nil
	}
}
