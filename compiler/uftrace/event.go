package uftrace

import "github.com/tracec/tracec/compiler/ir"

// The events whose data has a layout that uftrace itself defines (uftrace.md 1.6).
const (
	ReadStatm = 100001 + iota
	ReadPageFault
	DiffStatm
	DiffPageFault
	ReadCycle
	DiffCycle
	ReadCache
	DiffCache
	ReadBranch
	DiffBranch
	WatchCPU
	WatchVar
	Callsite
)

// eventShape is the layout of an event: its integers, in their order, and the text around them.
type eventShape struct {
	name   string
	typ    ir.Type
	labels []string
	unit   string
	// diff puts a plus before every number. ratio is a function of the first two numbers. Its
	// result follows them, between before and after. Both apply only to Replay.
	diff          bool
	ratio         string
	before, after string
	hexadecimal   bool
}

var eventShapes = map[uint32]eventShape{
	ReadStatm: {name: "read:proc/statm", typ: ir.U64, labels: []string{"vmsize", "vmrss", "shared"}, unit: "KB"},
	DiffStatm: {name: "diff:proc/statm", typ: ir.U64, labels: []string{"vmsize", "vmrss", "shared"}, unit: "KB",
		diff: true},
	ReadPageFault: {name: "read:page-fault", typ: ir.U64, labels: []string{"major", "minor"}},
	DiffPageFault: {name: "diff:page-fault", typ: ir.U64, labels: []string{"major", "minor"}, diff: true},
	ReadCycle:     {name: "read:pmu-cycle", typ: ir.U64, labels: []string{"cycles", "instructions"}},
	DiffCycle: {
		name: "diff:pmu-cycle", typ: ir.U64, labels: []string{"cycles", "instructions"}, diff: true,
		ratio: "UftraceRatio", before: " IPC=",
	},
	ReadCache: {name: "read:pmu-cache", typ: ir.U64, labels: []string{"refers", "misses"}},
	DiffCache: {
		name: "diff:pmu-cache", typ: ir.U64, labels: []string{"refers", "misses"}, diff: true,
		ratio: "UftracePercent", before: " hit=", after: "%",
	},
	ReadBranch: {name: "read:pmu-branch", typ: ir.U64, labels: []string{"branch", "misses"}},
	DiffBranch: {
		name: "diff:pmu-branch", typ: ir.U64, labels: []string{"branch", "misses"}, diff: true,
		ratio: "UftracePercent", before: " predict=", after: "%",
	},
	WatchCPU: {name: "watch:cpu", typ: ir.I32, labels: []string{"cpu"}},
	Callsite: {name: "callsite", typ: ir.U64, labels: []string{"callsite"}, hexadecimal: true},
}

// Event returns the event for the data of a built-in event id. It returns nil for ids without a
// layout: kernel tracepoints, schedules, user events. The text of the event is the one that replay
// shows in parentheses, `major=+0 minor=+49`, or a line of a dump: ` diff:page-fault: major=0
// minor=49` and a newline. wordSize is the word size of the recorded program, 4 or 8 bytes.
func Event(id uint32, form Form, wordSize int) *ir.Event {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Group: "uftrace", ID: id, Fields: []*ir.Field{data}, HasText: true}
	if id == WatchVar {
		ev.Name = "watch:var"
		watchVar(ev, form, wordSize)
		return ev
	}
	shape, ok := eventShapes[id]
	if !ok {
		return nil
	}
	ev.Name = shape.name
	shape.lower(ev, form)
	return ev
}

func (s eventShape) lower(ev *ir.Event, form Form) {
	data := &ir.FieldBytes{Field: ev.Fields[0]}
	width := int(s.typ.Size)
	need := &ir.Require{Of: data, Bytes: &ir.Const{T: ir.U64, V: uint64(width * len(s.labels))}}
	ev.Text, ev.Decode = []ir.Stmt{need}, []ir.Stmt{need}
	head(ev, form)
	var numbers []ir.Arg
	for i, label := range s.labels {
		v := &ir.Load{T: s.typ, From: data, At: &ir.Const{T: ir.U64, V: uint64(i * width)}}
		numbers = append(numbers, v)
		label += "="
		if i > 0 {
			label = " " + label
		}
		if s.diff && form != Dump {
			label += "+"
		}
		show := decimal(v)
		if s.hexadecimal {
			show = call("UftraceHex", v)
		}
		ev.Text = append(ev.Text, lit(label), show, lit(s.unit))
		f := computed(s.labels[i], s.typ)
		ev.Fields = append(ev.Fields, f)
		ev.Decode = append(ev.Decode, &ir.Keep{Field: f, V: v})
	}
	if s.ratio != "" && form != Dump {
		ev.Text = append(ev.Text, lit(s.before), call(s.ratio, numbers...), lit(s.after))
	}
	tail(ev, form)
}

func head(ev *ir.Event, form Form) {
	if form == Dump {
		ev.Text = append(ev.Text, lit("  "+ev.Name+": "))
	}
}

func tail(ev *ir.Event, form Form) {
	if form == Dump {
		ev.Text = append(ev.Text, lit("\n"))
	}
}

// watchVar compiles the event of a variable that changed: the address of the variable, then its
// value in 1, 2, 4 or 8 bytes.
func watchVar(ev *ir.Event, form Form, wordSize int) {
	data := &ir.FieldBytes{Field: ev.Fields[0]}
	word := ir.Type{Size: int8(wordSize)}
	need := &ir.Require{Of: data, Bytes: &ir.Const{T: ir.U64, V: uint64(wordSize)}}
	addr := &ir.Load{T: word, From: data}
	rest := &ir.Slice{Of: data, At: &ir.Const{T: ir.U64, V: uint64(wordSize)}}
	ev.Text = []ir.Stmt{need}
	head(ev, form)
	ev.Text = append(ev.Text, call("UftraceVariable", addr), lit("="))
	of := func(t ir.Type) ir.Stmt {
		return &ir.PutInt{V: &ir.Load{T: t, From: rest}, Spec: ir.Spec{Verb: 'x', Prec: -1}}
	}
	ev.Text = append(ev.Text, &ir.Switch{X: &ir.Len{Of: rest}, Cases: []ir.SwitchCase{
		{Values: []uint64{1}, Body: []ir.Stmt{of(ir.U8)}},
		{Values: []uint64{2}, Body: []ir.Stmt{of(ir.U16)}},
		{Values: []uint64{4}, Body: []ir.Stmt{of(ir.U32)}},
		{Values: []uint64{8}, Body: []ir.Stmt{of(ir.U64)}},
	}, Default: []ir.Stmt{call("Hex", rest, &ir.Convert{T: ir.U64, X: &ir.Len{Of: rest}})}})
	tail(ev, form)
	where := computed("address", word)
	value := &ir.Field{Name: "value", CType: "value", Kind: ir.Bytes, Offset: ir.Computed}
	ev.Fields = append(ev.Fields, where, value)
	ev.Decode = []ir.Stmt{need, &ir.Keep{Field: where, V: addr}, &ir.Keep{Field: value, Of: rest}}
}

// computed returns the field of a number of an event.
func computed(name string, t ir.Type) *ir.Field {
	return &ir.Field{Name: name, CType: name, Offset: ir.Computed, Size: int(t.Size), Signed: t.Signed}
}
