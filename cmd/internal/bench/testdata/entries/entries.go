// Package entries has mistakes with the entries of AIX, uftrace and LTTng.
package entries

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/runtime/record"
)

var kept []any

func hooks(ctx context.Context, d *templates.Decoder) {
	var list []*templates.Interrupt
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *templates.Interrupt:
			list = append(list, e)         // want `event e, .* variable list`
			kept = append(kept, d.Entry()) // want `entry, .* variable kept`
		}
	}
	_ = list
}

func functions(ctx context.Context, d *calls.Decoder) {
	var list []*calls.LeafArgs
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *calls.LeafArgs:
			list = append(list, e) // want `event e, .* variable list`
			x := d.Entry()
			kept = append(kept, x) // want `entry, .* variable kept`
		}
	}
	_ = list
}

func events(ctx context.Context, d *markers.Decoder) {
	var list []*markers.FDStateFileDescriptor
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *markers.FDStateFileDescriptor:
			list = append(list, e)         // want `event e, .* variable list`
			kept = append(kept, d.Entry()) // want `entry, .* variable kept`
		}
	}
	_ = list
}
