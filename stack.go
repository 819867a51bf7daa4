package tracec

import (
	"encoding/binary"

	"github.com/tracec/tracec/compiler/ir"
)

// A StackKind is the kind of a stack: of the kernel, of a process, or a call chain.
type StackKind uint8

// The kinds of stacks.
const (
	NoStack     StackKind = iota // the event is not a stack
	KernelStack                  // ftrace:kernel_stack
	UserStack                    // ftrace:user_stack
	// CallChain is a stack in the event itself, as in perf.data. It has the frames of the kernel
	// first, then the frames of the process. A sample without a recorded call chain has one frame.
	CallChain
)

// A Frame is an address of a stack, with its function and file.
type Frame struct {
	Addr     uint64
	Kernel   bool   // the address is in the kernel
	Returns  bool   // a call returns to the address, which is the address of the instruction after the call
	Function string // empty if unknown
	Offset   uint64 // offset of the address from the start of the function
	// File is the program or library, or the kernel or one of its modules in brackets. It is empty
	// if unknown, and for stacks of ftrace: see [Reader.Library]. FileOffset is the offset of the
	// address from the start of the mapping.
	File       string
	FileOffset uint64
}

// A Source is a place in source code, and its function.
type Source struct {
	Function string
	File     string // as the compiler saw it
	Line     int    // 0 if unknown
	Start    int    // the line of the function's declaration; 0 if unknown
}

// callChain is the call chain of an event.
type callChain interface {
	appendAddresses(dst []uint64) []uint64
	appendFrames(dst []Frame) []Frame
	appendSources(dst []Source, f *Frame) []Source
	period() (n uint64, ok bool)
}

// maxStack bounds the depth of a stack; the kernel's own limit is far below (kernel/trace/trace.c:
// 32 to 1024 frames).
const maxStack = 1024

// stackLayout describes where a stack holds its addresses.
type stackLayout struct {
	kind   StackKind
	caller int // offset of the first address
	word   int // bytes of an address
	size   int // offset of the number of addresses; -1 if not recorded
	tgid   int // offset of the process; -1 if not recorded
	order  binary.ByteOrder
	unit   string // unit of Event.Period
}

// newStack returns the layout of an event that is a stack. It returns nil for other events.
func newStack(ev *ir.Event, t ir.Target) *stackLayout {
	s := &stackLayout{kind: KernelStack, caller: -1, size: -1, tgid: -1, word: t.WordSize, order: binary.LittleEndian}
	switch {
	case ev.Group == "ftrace" && ev.Name == "user_stack":
		s.kind = UserStack
	case ev.Group != "ftrace" || ev.Name != "kernel_stack":
		return nil
	}
	if t.BigEndian {
		s.order = binary.BigEndian
	}
	for _, f := range ev.Fields {
		switch {
		case f.Name == "caller":
			s.caller = f.Offset
		case f.Name == "size" && f.Size == 4:
			s.size = f.Offset
		case f.Name == "tgid" && f.Size == 4:
			s.tgid = f.Offset
		}
	}
	if s.caller < 0 || s.word != 4 && s.word != 8 {
		return nil
	}
	return s
}

// Stack returns the kind of stack that events of the type hold. A stack other than a CallChain
// belongs to the previous event of the same stream and thread.
func (t *Type) Stack() StackKind {
	if t.stack == nil {
		return NoStack
	}
	return t.stack.kind
}

// Period returns the number of events or nanoseconds that a sample represents. Type.PeriodUnit is
// the unit. Period returns false if the event is not a sample, or if the recording has only the
// frequency of samples.
func (e *Event) Period() (n uint64, ok bool) {
	if e.Type.Stack() != CallChain {
		return 0, false
	}
	return e.chain.period()
}

// PeriodUnit returns the unit of the periods of samples with a CallChain: "nanoseconds" for clocks,
// otherwise "count". It is empty for other events.
func (t *Type) PeriodUnit() string {
	if t.stack == nil {
		return ""
	}
	return t.stack.unit
}

// AppendFrames appends the frames of a stack, innermost first. AppendStack appends only their
// addresses. Names of perf's frames need WithThreads.
func (e *Event) AppendFrames(dst []Frame) []Frame {
	if e.Type.Stack() == CallChain {
		return e.chain.appendFrames(dst)
	}
	e.stack = e.AppendStack(e.stack[:0])
	for _, a := range e.stack {
		f := Frame{Addr: a, Kernel: e.Type.stack.kind == KernelStack}
		if f.Kernel {
			f.Function, f.Offset, _ = e.Symbol(a)
		}
		dst = append(dst, f)
	}
	return dst
}

// AppendSources appends the places in source code of a frame of the event. Functions that the
// compiler has inlined come first, from the innermost outwards, then the function itself. If the
// frame Returns, the places are those of the call. Perf's frames of programs have places if the
// program or its debug file has DWARF, or Go's own table. AppendSources appends nothing for other
// frames.
func (e *Event) AppendSources(dst []Source, f *Frame) []Source {
	if e.Type.Stack() != CallChain {
		return dst
	}
	return e.chain.appendSources(dst, f)
}

// AppendStack appends the addresses of a stack, innermost first. It appends all recorded addresses,
// even beyond the size that the format of the event declares. It appends nothing for other events.
func (e *Event) AppendStack(dst []uint64) []uint64 {
	s := e.Type.stack
	switch {
	case s == nil:
		return dst
	case s.kind == CallChain:
		return e.chain.appendAddresses(dst)
	}
	n := maxStack
	if s.size >= 0 && s.size+4 <= len(e.Data) {
		n = min(n, int(s.order.Uint32(e.Data[s.size:])))
	}
	for at := s.caller; n > 0 && at+s.word <= len(e.Data); n, at = n-1, at+s.word {
		a := uint64(0)
		if s.word == 4 {
			a = uint64(s.order.Uint32(e.Data[at:]))
		} else {
			a = s.order.Uint64(e.Data[at:])
		}
		if a == 1<<(8*s.word)-1 || s.kind == UserStack && a == 0 { // older kernels end a stack with this
			break
		}
		dst = append(dst, a)
	}
	return dst
}

// StackProcess returns the process of a UserStack, otherwise the process of the thread, or -1 if it
// is unknown.
func (e *Event) StackProcess() int32 {
	if s := e.Type.stack; s != nil && s.tgid >= 0 && s.tgid+4 <= len(e.Data) {
		return int32(s.order.Uint32(e.Data[s.tgid:]))
	}
	return e.Process()
}

// Library returns the file that a process has mapped at an address, and the offset of the address
// from the start of that mapping. Process -1 is the kernel. Library returns false if the recording
// has no map: trace-cmd records maps on request, perf always. Maps of perf are valid at the time of
// the last event of a reader with WithThreads.
func (r *Reader) Library(process int32, addr uint64) (file string, offset uint64, ok bool) {
	switch s := r.source.(type) {
	case *ftraceSource:
		return s.rec.Library(process, addr)
	case *perfSource:
		if m, ok := s.naming.Mapping(process, 0, addr); ok {
			return m.Module.Name, addr - m.Start, true
		}
	}
	return "", 0, false
}
