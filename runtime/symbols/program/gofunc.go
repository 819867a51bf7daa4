package program

import (
	"bytes"
	"encoding/binary"
)

// goFunc is a function of a goTable, and a place in it.
type goFunc struct {
	table *goTable
	b     []byte // the function's description
	pc    uint64 // offset from its begin
}

// The places of 32-bit words in the description of a function (runtime2.go: _func). The places from
// goUnit on are for Go 1.20. In earlier versions, the line of the begin is missing.
const (
	goName      = 1
	goFileSteps = 5
	goLineSteps = 6
	goNumSteps  = 7
	goUnit      = 8
	goStart     = 9
	goFixed     = 10 // number of words before the last one, which consists of bytes

	goInlineSteps = 2 // PCDATA_InlTreeIndex
	goInlineTree  = 3 // FUNCDATA_InlTree
)

func (f *goFunc) word(i int) uint32 { return f.table.order.Uint32(f.b[4*i:]) }

// fixed returns the number of words before the last one, which consists of bytes.
func (f *goFunc) fixed() int {
	if f.table.starts {
		return goFixed
	}
	return goFixed - 1
}

func (f *goFunc) size() int { return 4 * (f.fixed() + 1) }

func (f *goFunc) name() string { return f.table.text0(f.table.names, f.word(goName)) }

// text0 returns the text up to a NUL at a place of a part.
func (t *goTable) text0(part []byte, at uint32) string {
	if uint64(at) >= uint64(len(part)) {
		return ""
	}
	b := part[at:]
	b = b[:min(len(b), maxName)]
	return string(b[:max(0, bytes.IndexByte(b, 0))])
}

// extra returns word i of the two lists after the fixed part: places of steps, and of other data.
func (f *goFunc) extra(i int) (n uint32, ok bool) {
	at := f.fixed() + 1 + i
	if len(f.b) < 4*at+4 {
		return 0, false
	}
	return f.word(at), true
}

// line returns the place in the source of a pc, without inlined calls.
func (f *goFunc) line(pc uint64) (file string, line int) {
	t := f.table
	if n, ok := t.value(f.word(goFileSteps), pc); ok && n >= 0 {
		if at := 4 * (uint64(f.word(goUnit)) + uint64(n)); at+4 <= uint64(len(t.units)) {
			if at := t.order.Uint32(t.units[at:]); at != 1<<32-1 {
				file = t.text0(t.files, at)
			}
		}
	}
	if n, ok := t.value(f.word(goLineSteps), pc); ok && n > 0 {
		line = int(n)
	}
	return file, line
}

// value returns the value at a pc of a list of steps: differences of values and of pcs.
func (t *goTable) value(steps uint32, pc uint64) (value int32, ok bool) {
	if steps == 0 || uint64(steps) >= uint64(len(t.steps)) {
		return 0, false
	}
	value = -1
	at := uint64(0)
	for b, first := t.steps[steps:], true; t.left > 0; first = false {
		t.left--
		d, n := binary.Uvarint(b)
		if n <= 0 || d == 0 && !first {
			return 0, false
		}
		value += int32(uint32(d>>1) ^ -uint32(d&1))
		b = b[n:]
		p, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, false
		}
		if at += p * t.quant; pc < at {
			return value, true
		}
		b = b[n:]
	}
	return 0, false
}

const (
	mostInlined = 256     // depth of calls inlined into one another
	mostSteps   = 1 << 22 // steps read for an address: a damaged list may be as long as the table
)

// find returns the lines of an address, or nil if it is not in a function of Go.
func (t *goTable) find(addr uint64) (list []Line) {
	f, ok := t.at(addr)
	if !ok {
		return nil
	}
	t.left = mostSteps
	tree := f.tree()
	for pc := f.pc; ; {
		var x Line
		x.File, x.Line = f.line(pc)
		call, ok := f.call(tree, pc)
		if !ok {
			x.Function = f.name()
			if t.starts {
				x.Start = int(int32(f.word(goStart)))
			}
			return append(list, x)
		}
		// the fields of inlinedCall in runtime/symtabinl.go
		x.Function, x.Start = t.text0(t.names, t.order.Uint32(call[4:])), int(int32(t.order.Uint32(call[12:])))
		list, pc = append(list, x), uint64(t.order.Uint32(call[8:]))
		if len(list) == mostInlined {
			return list
		}
	}
}

// tree returns the list of the inlined calls of a function.
func (f *goFunc) tree() []byte {
	t := f.table
	others := int(f.b[4*f.fixed()+3])
	if !t.starts || others <= goInlineTree || f.word(goNumSteps) <= goInlineSteps || f.word(goNumSteps) > 1<<16 {
		return nil
	}
	at, ok := f.extra(int(f.word(goNumSteps)) + goInlineTree)
	if !ok || uint64(at) >= uint64(len(t.inlined)) {
		return nil
	}
	return t.inlined[at:]
}

// call returns the innermost inlined call at a pc.
func (f *goFunc) call(tree []byte, pc uint64) (call []byte, ok bool) {
	const size = 16
	if tree == nil {
		return nil, false
	}
	steps, ok := f.extra(goInlineSteps)
	if !ok {
		return nil, false
	}
	n, ok := f.table.value(steps, pc)
	if !ok || n < 0 || int64(n) >= int64(len(tree)/size) {
		return nil, false
	}
	return tree[size*int(n):][:size], true
}
