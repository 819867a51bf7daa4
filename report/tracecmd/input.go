package tracecmd

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// input is one open recording and its state.
type input struct {
	opts    Input
	rec     *ftrace.Recording
	info    *ftrace.Info
	name    string // without the folder, for prefixes and messages
	buffers []*buffer

	formats  formats
	values   values
	names    taskNames
	selected selected
	flags    *kernelFlags
	arrays   map[array]*characters
	attempt  *inputAttempt // earlier state that a printer of a single page has used; otherwise nil
}

// formats holds the descriptions of the events of an input.
type formats struct {
	target   ir.Target
	byID     map[uint32]*ftrace.Format
	blktrace *ftrace.Format // from blkTraceFormat; may be nil
	compiled *compiled
	events   []*event // by id; nil before its first record
}

// values evaluates the values and texts of records.
type values struct {
	env     *render.Env
	machine *interp.Machine
	plugins *plugin.Context
	subject *filter.Subject // nil until a filter needs it
	words   bool            // see filter.Event
}

// taskNames holds names of tasks from events.
type taskNames struct {
	learned map[int32]string // names of tasks that saved_cmdlines does not have
	columns *taskCache
	local   []int32 // threads whose cached columns depend on a page's state
}

// selected holds the ids of the events to read. They are computed once.
type selected struct {
	ids   []uint32
	after []uint32 // ids to read only directly after one of ids
}

// maxLearned bounds the names learned from events: a damaged recording has a new pid in every
// record. It is above the default limit of pids.
const maxLearned = 1 << 16

// openInput opens a recording. memory is the maximum number of bytes that it may use.
func openInput(ctx context.Context, job *report.Job, opts Input, memory int64, latency bool) (*input, error) {
	rec, err := sources.OpenFTrace(ctx, &job.Job, opts.Path, memory)
	if err != nil {
		return nil, err
	}
	return newInput(opts, rec, latency, nil), nil
}

// newInput returns an input of an open recording, with the state at its beginning. Several
// goroutines can use inputs of one recording. shared holds the compiled formats of another input of
// the recording, or is nil.
func newInput(opts Input, rec *ftrace.Recording, latency bool, shared *compiled) *input {
	info := rec.Info()
	in := &input{
		opts: opts, rec: rec, info: info, name: filepath.Base(opts.Path),
		formats: formats{target: recorded.Target(rec), byID: map[uint32]*ftrace.Format{}},
		names:   taskNames{learned: map[int32]string{}},
	}
	in.formats.compiled = shared
	if shared == nil {
		in.formats.compiled = newCompiled(rec, in.formats.target)
	}
	in.values.env = recorded.Env(rec, in.formats.target)
	in.values.machine = interp.NewMachine(in.values.env)
	in.names.columns = newTaskCache(in.comm, latency)
	for _, f := range rec.Formats() {
		in.formats.byID[uint32(f.ID)] = f
	}
	in.flags = newKernelFlags(rec.Formats(), info.Uname)
	if f := blkTraceFormat(in.formats.byID); f != nil {
		in.formats.byID[uint32(f.ID)], in.formats.blktrace = f, f
	}
	for _, b := range rec.Buffers() {
		in.buffers = append(in.buffers, newBuffer(in, b))
	}
	return in
}

// comm returns the name of a task as trace-cmd prints it: <idle> for 0 and <...> for an unknown
// name.
func (in *input) comm(pid int32) string {
	name := in.rec.Comm(pid)
	if name == unknownTask {
		if learned, ok := in.names.learned[pid]; ok {
			return learned
		}
		return in.attempt.name(pid)
	}
	return name
}

const unknownTask = "<...>"

// learn takes the name of a task from an event. A task with a name keeps that name.
func (in *input) learn(pid int32, comm []byte) {
	if _, known := in.names.learned[pid]; known || in.rec.Comm(pid) != unknownTask ||
		len(in.names.learned) == maxLearned {
		return
	}
	if in.attempt.name(pid) != unknownTask {
		return
	}
	in.names.learned[pid] = string(comm)
	in.names.columns.forget(pid)
}

// lower returns the compiled description of an event. It drops messages for developers of formats.
// An event without a usable rendering is shown by its fields.
func (in *input) lower(f *ftrace.Format) *ir.Event {
	if p := in.formats.compiled.formats.Program(uint32(f.ID)); p != nil {
		return p.Event
	}
	return nil
}

// buffer is one ring buffer of an input.
type buffer struct {
	in     *input
	buf    *ftrace.Buffer
	prefix []byte // "name: " or blanks, printed at the start of every line
	time   timeFormat
	shown  []shown // outcome of the last event other than a stack, by CPU; used only with filters
}

func newBuffer(in *input, b *ftrace.Buffer) *buffer {
	return &buffer{in: in, buf: b}
}

// setPrefix sets the column that distinguishes several inputs and instances.
func (b *buffer) setPrefix(name string, width int) {
	if width == 0 {
		return
	}
	if name == "" {
		b.prefix = fmt.Appendf(nil, "%*s", width+2, "")
		return
	}
	b.prefix = fmt.Appendf(nil, "%*s: ", width, name)
}
