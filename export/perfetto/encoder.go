package perfetto

import (
	"encoding/hex"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
)

// encoder appends the message of events of one type. There is one for each type and worker.
type encoder struct {
	typ     *tracec.Type
	number  protowire.Number // number of the field of FtraceEvent for the message
	tag     uint64           // tag of that field
	ops     []op
	generic bool     // self-describing
	marks   int      // for ftrace:print, the field with text that may be from atrace; -1 for others
	plain   *encoder // for ftrace:print, the encoder for other texts
	stack   int      // the field with a stack of the kernel; -1 without one
	graph   *graphFields
	first   bool   // the next event of a block is the first of its type
	used    uint64 // the last block that used it
}

// op appends one field of a message.
type op struct {
	kind  opKind
	field int    // field of the type
	tag   uint64 // tag of the field of the message
}

type opKind uint8

const (
	opVarint opKind = iota // unchanged
	opUint32               // truncated to 32 bits
	opInt32                // truncated to 32 bits, extended by its sign
	opFit32                // omitted if it does not fit into 32 bits, unsigned
	opFitS32               // omitted if it does not fit into 32 bits, signed
	opKey                  // an address with an interned symbol
	opText
	opBytes
	opList   // each element is a value of a repeated field
	opString // in the form of Value.Append
	opSymbol // the name of an address
	opStack  // names of the addresses of a list
	opMore   // the text of this field and all later ones, with their names
	opRaw    // all data of the record, in hexadecimal
	opPrint  // the text of the event
)

// The bounds of self-describing events: numbers of fields from 1 to 31, and the first id.
const (
	maxFields    = 31
	firstGeneric = 1 << 16
)

// newEncoder returns the encoder of a type. twice is set if system calls have events of both
// syscalls and raw_syscalls.
func newEncoder(t *tracec.Type, word int, twice bool) *encoder {
	e := &encoder{typ: t, marks: -1, stack: -1, graph: newGraphFields(t)}
	if i := t.Index("caller"); t.System == "ftrace" && t.Name == "kernel_stack" && i >= 0 &&
		t.Fields[i].Kind == tracec.List {
		e.stack = i
	}
	switch {
	case t.System == "ftrace" && t.Name == "print" && t.Index("buf") >= 0:
		plain := *e
		e.typed(messageOf(t.Name), word)
		plain.selfDescribing(word)
		e.marks, e.plain = t.Index("buf"), &plain
	case t.System == "syscalls" && t.Index("__syscall_nr") >= 0 && strings.HasPrefix(t.Name, "sys_enter_"):
		e.syscall(messageOf("sys_enter"), "id", "args")
	case t.System == "syscalls" && t.Index("__syscall_nr") >= 0 && strings.HasPrefix(t.Name, "sys_exit_"):
		e.syscall(messageOf("sys_exit"), "id", "ret")
	// An event of function_graph with the option funcgraph-retaddr, since Linux 6.11.
	case t.System == "ftrace" && t.Name == "fgraph_retaddr_entry":
		e.typed(messageOf("funcgraph_entry"), word)
	case twice && t.System == "raw_syscalls", !e.knownTo(messageOf(t.Name), word):
		e.selfDescribing(word)
	}
	return e
}

// invented holds the systems of user-defined events. Their names are arbitrary
// (kernel/trace/trace_synth.h, trace_kprobe.c and its neighbours).
var invented = map[string]bool{"synthetic": true, "eprobes": true, "kprobes": true, "uprobes": true, "fprobes": true,
	"tracepoints": true}

// understood holds the events and systems from which the trace processor makes more than a row.
// They get their message even if it lacks one of their fields.
var understood = map[string]bool{
	"sched": true, "task": true, "irq": true, "signal": true, "oom": true, "workqueue": true, "power": true,
	"raw_syscalls":    true,
	"funcgraph_entry": true, "funcgraph_exit": true, "inet_sock_set_state": true, "tcp_retransmit_skb": true,
	"kfree_skb": true, "mm_vmscan_direct_reclaim_begin": true, "cma_alloc_start": true,
}

// knownTo makes the encoder for a message of Perfetto. It returns false if there is no message, or
// if the message would lose a field.
func (e *encoder) knownTo(m *message, word int) bool {
	if m == nil || invented[e.typ.System] || m.system != "" && m.system != e.typ.System {
		return false
	}
	return e.typed(m, word) || understood[e.typ.System] || understood[e.typ.Name]
}

// typed adds the fields of a message that the type has, by their names. It returns false if the
// type has other fields.
func (e *encoder) typed(m *message, word int) (all bool) {
	e.is(m.number)
	all = true
	for i := range e.typ.Fields {
		f := &e.typ.Fields[i]
		if omitted(e.typ, i) {
			continue
		}
		to, ok := m.fields[f.Name]
		kind, fits := opFor(f, to, word)
		if !ok || !fits {
			all = false
			continue
		}
		e.add(kind, i, to.number)
	}
	return all
}

func (e *encoder) is(number protowire.Number) {
	e.number, e.tag, e.ops = number, protowire.EncodeTag(number, protowire.BytesType), nil
}

func (e *encoder) add(kind opKind, field int, number protowire.Number) {
	wire := protowire.VarintType
	if kind >= opText && kind != opList {
		wire = protowire.BytesType
	}
	e.ops = append(e.ops, op{kind, field, protowire.EncodeTag(number, wire)})
}

// opFor returns the conversion of a field to a field of a message. It returns false if there is
// none.
func opFor(f *tracec.Field, to member, word int) (opKind, bool) {
	switch {
	case to.repeated:
		return opList, f.Kind == tracec.List && to.kind != 's' && to.kind != 'b'
	case to.kind == 's':
		return opText, f.Kind == tracec.Text
	case to.kind == 'b':
		return opBytes, f.Kind == tracec.Bytes || f.Kind == tracec.List
	case f.Kind != tracec.Int && f.Kind != tracec.Uint:
		return 0, false
	case to.kind == 'v' && isKey(f, word):
		return opKey, true
	case to.kind == 'u' && f.Size == 8:
		return opFit32, true
	case to.kind == 'i' && f.Size == 8:
		return opFitS32, true
	case to.kind == 'u' && f.Kind == tracec.Int:
		return opUint32, true
	case to.kind == 'i' && f.Kind == tracec.Uint && f.Size == 4:
		return opInt32, true
	}
	return opVarint, true
}

// keys holds the fields with an address of code for which the trace processor looks up the name.
var keys = map[string]bool{"func": true, "function": true, "caller": true, "ip": true, "parent_ip": true,
	"location": true, "call_site": true, "callsite": true}

func isKey(f *tracec.Field, word int) bool {
	return f.Kind == tracec.Uint && f.Size == word && keys[f.Name]
}

// syscall makes an encoder for a message with the number of a system call and its values.
func (e *encoder) syscall(m *message, id, values string) {
	e.is(m.number)
	e.first = true
	for i := range e.typ.Fields {
		f := &e.typ.Fields[i]
		switch {
		case f.Common || f.Kind != tracec.Int && f.Kind != tracec.Uint:
		case f.Name == "__syscall_nr":
			e.add(opVarint, i, m.fields[id].number)
		default:
			e.add(opVarint, i, m.fields[values].number)
		}
	}
}

// append appends the message of an event.
func (e *encoder) append(dst []byte, ev *tracec.Event, b *block) []byte {
	for i := range e.ops {
		o := &e.ops[i]
		if o.kind >= opText {
			dst = o.appendLong(dst, ev)
			continue
		}
		v, ok := ev.Bits(o.field)
		if !ok {
			continue
		}
		switch o.kind {
		case opUint32:
			v = uint64(uint32(v))
		case opInt32:
			v = uint64(int32(v))
		case opFit32:
			ok = v <= math.MaxUint32
		case opFitS32:
			ok = v == uint64(int32(v))
		case opKey:
			b.keys.add(v)
		}
		if ok {
			dst = protowire.AppendVarint(protowire.AppendVarint(dst, o.tag), v)
		}
	}
	return dst
}

// appendLong appends any value other than a single integer.
func (o *op) appendLong(dst []byte, ev *tracec.Event) []byte {
	var v tracec.Value
	if o.kind < opMore {
		var ok bool
		if v, ok = ev.At(o.field); !ok {
			return dst
		}
	}
	if o.kind == opList {
		for i := range v.Len() {
			dst = protowire.AppendVarint(protowire.AppendVarint(dst, o.tag), v.Elem(i).Uint())
		}
		return dst
	}
	dst = append(protowire.AppendVarint(dst, o.tag), 0)
	at := len(dst)
	switch o.kind {
	case opText, opBytes:
		dst = append(dst, v.Bytes()...)
	case opString:
		dst = v.Append(dst)
	case opSymbol:
		dst = appendSymbol(dst, ev, v.Uint())
	case opStack:
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, '\n')
			}
			dst = appendSymbol(dst, ev, v.Elem(i).Uint())
		}
	case opMore:
		dst = appendMore(dst, ev, o.field)
	case opRaw:
		dst = hex.AppendEncode(dst, ev.Data)
	case opPrint:
		dst, _ = ev.AppendText(dst)
	}
	if o.kind != opBytes {
		dst = validate(dst, at)
	}
	return end(dst, at)
}
