package sql

import (
	"math"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
)

// origin is the origin of the values of a column of an event.
type origin uint8

const (
	fromNothing origin = iota // always NULL
	fromTime
	fromCPU
	fromTask
	fromProcess
	fromComm
	fromLost
	fromText
	fromConstant
	fromNumber // a constant
	fromInteger
	fromFloat
	fromBytes // texts and bytes
)

// filler appends the values of events of one type to a column.
type filler struct {
	to       *vector
	from     origin
	column   *columns.Column
	constant string
	number   int64
}

// put appends the value of an event.
func (f *filler) put(ev *tracec.Event) {
	v := f.to
	switch f.from {
	case fromInteger:
		if bits, ok := f.column.Integer(ev); ok {
			v.putInt(int64(bits))
			return
		}
	case fromTime:
		if ev.Time <= math.MaxInt64 {
			v.putInt(int64(ev.Time))
			return
		}
	case fromCPU:
		f.id(ev.CPU)
		return
	case fromTask:
		f.id(ev.Task)
		return
	case fromProcess:
		f.id(ev.Process())
		return
	case fromNumber:
		v.putInt(f.number)
		return
	case fromLost:
		v.putInt(ev.Lost)
		return
	case fromFloat:
		if x, ok := f.column.Float(ev); ok {
			v.putReal(x)
			return
		}
	case fromConstant:
		v.putText(f.constant)
		return
	default:
		f.bytes(ev)
		return
	}
	v.putNull()
}

// id appends a number. A negative number is unknown, and NULL.
func (f *filler) id(n int32) {
	if n < 0 {
		f.to.putNull()
		return
	}
	f.to.putInt(int64(n))
}

// bytes appends texts and bytes.
func (f *filler) bytes(ev *tracec.Event) {
	v := f.to
	ok := true
	switch f.from {
	case fromBytes:
		v.data, ok = f.column.AppendBytes(v.data, ev)
	case fromComm:
		name := ev.Comm()
		v.data, ok = columns.AppendValid(v.data, name), name != ""
	case fromText:
		at := len(v.data)
		if v.data, ok = ev.AppendText(v.data); ok {
			v.data = validFrom(v.data, at)
		}
	default:
		v.putNull()
		return
	}
	v.endBytes(ok)
}

// validFrom replaces invalid UTF-8 from index at on.
func validFrom(b []byte, at int) []byte {
	if columns.IsValid(b[at:]) {
		return b
	}
	return columns.AppendValid(b[:at], string(b[at:]))
}

// fixed lists the first columns of the tables of events, after recording.
var fixed = []struct {
	Column
	rule rule
	from origin
}{
	{Column{"ts", "INTEGER", "time in nanoseconds"}, byTime, fromTime},
	{Column{"cpu", "INTEGER", "the processor"}, byCPU, fromCPU},
	{Column{"tid", "INTEGER", "the thread"}, byTask, fromTask},
	{Column{"pid", "INTEGER", "the process of the thread"}, noRule, fromProcess},
	{Column{"thread", "TEXT", "the name of the thread"}, noRule, fromComm},
}
