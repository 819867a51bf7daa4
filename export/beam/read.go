package beam

import (
	"context"
	"errors"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/tracec/tracec/compiler/dynamic"
)

// Row is an event of a recording.
type Row struct {
	Path   string // of the recording
	Host   string // that recorded; empty when the recording does not say
	System string
	Event  string
	// Time is Record.Time: nanoseconds, or units of a clock without a scale. Wall is nanoseconds since 1970 UTC, 0 when the recording does not say.
	Time, Wall int64
	CPU, Task  int32  // -1 when the event does not say
	Comm       string // of the thread
	Lost       int64  // events that are missing before this one; -1: an unknown number
	Fields     []Field
}

// Field is a field that an event has a value of.
type Field struct {
	Name string
	// Int is the value of an integer, as its 64 bits.
	Int int64
	// Text is the value of anything else as dynamic.Value.Append has it, and the name that the description has for an integer.
	Text string
}

// ReadTrace returns the events of the recordings at paths, a PCollection of strings, as a PCollection of Row. Their order is not kept; Path, CPU and Time
// say it. Recordings that cannot be read, and streams that fail, are logged, and all others are read.
func ReadTrace(s sdk.Scope, paths sdk.PCollection, o Options) sdk.PCollection {
	s = s.Scope("tracec.ReadTrace")
	shards := sdk.ParDo(s, &splitFn{Slices: o.Slices}, sdk.Reshuffle(s, paths))
	return sdk.ParDo(s, &readFn{Events: o.Events}, sdk.Reshuffle(s, shards))
}

// readFn emits the events of a shard.
type readFn struct {
	Events []string
}

// ProcessElement emits the events of a shard. A worker that fails reads it again from its beginning.
func (f *readFn) ProcessElement(ctx context.Context, s Shard, emit func(Row)) (err error) {
	in, err := open(ctx, s.Path)
	if err != nil {
		failed(ctx, s.Path, err)
		return ctx.Err()
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := dynamic.NewReader(in.Recording, dynamic.WithRecords(s.records(ctx)), dynamic.WithEvents(f.Events...), dynamic.WithThreads())
	if err != nil {
		failed(ctx, s.Path, err)
		return nil
	}
	machine := in.Machine()
	for ev := range r.All() {
		row := Row{
			Path: s.Path, Host: machine.Host, System: ev.Type.System, Event: ev.Type.Name, Time: int64(ev.Time), CPU: ev.CPU, Task: ev.Task, Comm: ev.Comm(),
			Lost: ev.Lost,
		}
		if wall, ok := machine.WallTime(ev.Time); ok {
			row.Wall = wall.UnixNano()
		}
		for field, v := range ev.Fields() {
			row.Fields = append(row.Fields, newField(field, v))
		}
		emit(row)
	}
	if err := r.Err(); err != nil && ctx.Err() == nil {
		failed(ctx, s.Path, err)
	}
	return ctx.Err()
}

func newField(f *dynamic.Field, v dynamic.Value) Field {
	out := Field{Name: f.Name}
	switch v.Kind() {
	case dynamic.Int, dynamic.Uint:
		out.Int = v.Int()
		if name, ok := v.AppendName(nil); ok {
			out.Text = string(name)
		}
	default:
		out.Text = v.String()
	}
	return out
}
