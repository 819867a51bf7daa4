package beam

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

func init() {
	register.Function4x1(plan)
	register.Function3x1(readShard)
	register.Emitter1[Shard]()
	register.Emitter1[Failure]()
	register.Emitter1[Row]()
	beam.RegisterType(reflect.TypeFor[Row]())
	beam.RegisterType(reflect.TypeFor[Shard]())
	beam.RegisterType(reflect.TypeFor[Failure]())
}

// Row is one event of a recording.
type Row struct {
	Path   string // path of the recording
	Host   string // host of the recorder; empty if unknown
	System string // system of the event: sched; a module; a channel; aix
	Event  string // name of the event
	Exit   bool   // whether the event is a return from a function
	Time   int64  // Record.Time: ns of the recording's clock, or ticks
	Wall   int64  // ns since 1970 UTC; 0 if unknown
	CPU    int32  // -1 if unknown
	Task   int32  // the thread; -1 if unknown
	Comm   string // name of the thread; empty if the recording and the shard lack it
	Fields []Field
}

// Field is a field of a Row. Both texts are as recorded, and need not be UTF-8.
type Field struct {
	Name string
	Int  int64 // an integer, the bits of an unsigned one; otherwise 0
	// for an integer its name, if any; for other values the text for people: floats, texts, bytes
	// in hexadecimal, lists in brackets
	Text string
}

// Shard is a part of a recording. Every record is in one shard.
type Shard struct {
	Path         string
	CPU          int32 // -1 for all processors
	Since, Until int64 // as in record.Options
}

// Failure is an unreadable part.
type Failure struct {
	Path string // path of the recording
	Text string
}

// shardEvents is the approximate number of a processor's events in a shard.
var shardEvents = 1 << 20

// ReadTrace returns the events of recordings, a PCollection of Row, from one of their paths. It
// logs unreadable parts; [ReadTraceFailures] also returns them.
func ReadTrace(s beam.Scope, files beam.PCollection) beam.PCollection {
	rows, _ := ReadTraceFailures(s, files)
	return rows
}

// ReadTraceFailures returns the events of recordings, a PCollection of Row, and their unreadable
// parts, a PCollection of Failure. A recording that cannot be opened has a failure and no rows. A
// damaged recording has a failure for each place, and its other rows.
func ReadTraceFailures(s beam.Scope, files beam.PCollection) (rows, failures beam.PCollection) {
	s = s.Scope("tracec.ReadTrace")
	shards, failures := beam.ParDo2(s, plan, beam.Reshuffle(s, files))
	return beam.ParDo(s, readShard, beam.Reshuffle(s, shards)), failures
}

// plan divides a recording. It reads all records, since not every container provides their
// processors and times in another way. Reading is a small part of the cost of rows.
func plan(ctx context.Context, path string, emit func(Shard), fail func(Failure)) error {
	local, remove, err := fetch(ctx, path)
	failed := func(err error) {
		text := renamed(err.Error(), local, path)
		log.Warn(ctx, text)
		fail(Failure{path, text})
	}
	if err != nil {
		failed(err)
		return ctx.Err()
	}
	defer remove()
	r, err := open(ctx, local, record.Options{}, failed)
	if err != nil {
		failed(err)
		return ctx.Err()
	}
	for _, s := range divide(path, r.Reader) {
		emit(s)
	}
	if err := r.Err(); err != nil && ctx.Err() == nil {
		failed(err)
	}
	for _, d := range r.Recording().Damage() {
		failed(d)
	}
	if err := r.Close(); err != nil {
		failed(err)
	}
	return ctx.Err()
}

// divide returns the shards of a recording. Recordings with records without a processor are divided
// by time only. Recordings of uftrace are not divided, since losses of their threads have no time.
func divide(path string, r *tracec.Reader) []Shard {
	type processor struct {
		shards []Shard
		events int
	}
	_, whole := r.Recording().(*uftrace.Recording)
	cpus, order := map[int32]*processor{}, []int32{}
	everything := &processor{shards: []Shard{{Path: path, CPU: -1}}}
	add := func(p *processor, time int64) {
		last := &p.shards[len(p.shards)-1]
		if p.events >= shardEvents && time > last.Since { // records with the same time are in one shard
			last.Until = time
			p.shards = append(p.shards, Shard{Path: path, CPU: last.CPU, Since: time})
			p.events = 0
		}
		p.events++
	}
	unknown := false
	for ev := range r.All() {
		if whole {
			continue // read on to find the damage
		}
		time := int64(ev.Time)
		add(everything, time)
		if unknown = unknown || ev.CPU < 0; unknown {
			continue
		}
		p := cpus[ev.CPU]
		if p == nil {
			p = &processor{shards: []Shard{{Path: path, CPU: ev.CPU}}}
			cpus[ev.CPU], order = p, append(order, ev.CPU)
		}
		add(p, time)
	}
	if whole || unknown || len(cpus) == 0 {
		return everything.shards
	}
	var shards []Shard
	for _, cpu := range order {
		shards = append(shards, cpus[cpu].shards...)
	}
	return shards
}

// readShard emits the rows of a shard. plan has reported the damage.
func readShard(ctx context.Context, s Shard, emit func(Row)) error {
	local, remove, err := fetch(ctx, s.Path)
	if err != nil {
		return err
	}
	defer remove()
	o := record.Options{Since: uint64(s.Since), Until: uint64(s.Until)}
	if s.CPU >= 0 {
		o.CPUs = []int32{s.CPU}
	}
	r, err := open(ctx, local, o, func(error) {})
	if err != nil {
		return err
	}
	defer r.Close()
	m := r.Recording().Machine()
	for ev := range r.All() {
		emit(row(s.Path, &m, ev))
	}
	return ctx.Err()
}

// row copies an event.
func row(path string, m *record.Machine, ev *tracec.Event) Row {
	r := Row{
		Path: path, Host: m.Host, System: ev.Type.System, Event: ev.Type.Name, Exit: ev.Type.Exit, Time: int64(ev.Time),
		CPU: ev.CPU, Task: ev.Task,
		Comm: ev.Comm(),
	}
	if wall, ok := m.WallTime(ev.Time); ok {
		r.Wall = wall.UnixNano()
	}
	var text []byte
	for f, v := range ev.Fields() {
		x := Field{Name: f.Name, Int: v.Int()}
		named := false
		switch v.Kind() {
		case tracec.Int, tracec.Uint:
			text, named = v.AppendName(text[:0])
			if !named {
				text = text[:0]
			}
		default:
			x.Int, text = 0, v.Append(text[:0])
		}
		x.Text = string(text)
		r.Fields = append(r.Fields, x)
	}
	return r
}
