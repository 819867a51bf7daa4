package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// A Fault is a row of [PageFaults].
type Fault struct {
	Row
	Address uint64 // address that was not mapped, or not for this access
	IP      uint64 // address of the instruction
	// Function is the kernel function of the instruction, if the recording has its symbols.
	Function  string
	ErrorCode uint64
	User      bool // in user space instead of the kernel
	x86       bool
}

// faultLetters holds the bits of the error code of x86 that have a letter
// (arch/x86/include/asm/trap_pf.h).
var faultLetters = [...]struct {
	bit    uint64
	letter byte
}{{1, 'P'}, {2, 'W'}, {4, 'U'}, {8, 'R'}, {16, 'I'}}

// faultTexts holds the texts of error codes.
var faultTexts = func() (texts [32]string) {
	for code := range texts {
		for _, l := range faultLetters {
			if uint64(code)&l.bit != 0 {
				texts[code] += string(l.letter)
			}
		}
	}
	return texts
}()

// Letters returns the letters of the error code of x86: P protection (otherwise the page was
// missing), W write, U user, R reserved bits, I instruction fetch. For other machines it returns
// "".
func (f *Fault) Letters() string {
	if !f.x86 {
		return ""
	}
	return faultTexts[f.ErrorCode%uint64(len(faultTexts))]
}

// PageFaults has a row for each page fault. The time of its end is not recorded.
var PageFaults = &Table[Fault]{
	name: "page_faults",
	doc:  "page faults",
	need: []string{"exceptions:page_fault_user", "exceptions:page_fault_kernel"},
	columns: instants(func(f *Fault) *Row { return &f.Row },
		column[Fault]{
			Column{"address", "the address that was used", Address},
			func(f *Fault) Value { return integer(int64(f.Address)) },
		},
		column[Fault]{Column{"ip", "the instruction", Address}, func(f *Fault) Value { return integer(int64(f.IP)) }},
		column[Fault]{
			Column{"function", "of the kernel with the instruction", Text},
			func(f *Fault) Value { return text(f.Function) },
		},
		column[Fault]{
			Column{"error_code", "of the processor", Integer},
			func(f *Fault) Value { return integer(int64(f.ErrorCode)) },
		},
		column[Fault]{
			Column{"code", "its bits on x86: P protection, W write, U user, R reserved bits, I instruction fetch",
				Text},
			func(f *Fault) Value { return text(f.Letters()) },
		},
		column[Fault]{Column{"mode", "user or kernel", Text}, func(f *Fault) Value {
			if f.User {
				return text("user")
			}
			return text("kernel")
		}},
	),
	collect: func(w *Walk, yield func(*Fault) bool) collector { return &faults{w: w, yield: yield} },
}

// faults makes the rows of PageFaults.
type faults struct {
	none
	w     *Walk
	yield func(*Fault) bool
	row   Fault
}

// rule implements collector.
func (c *faults) rule(t *tracec.Type) rule {
	user := kernel.Is(t, "exceptions:page_fault_user")
	if !user && !kernel.Is(t, "exceptions:page_fault_kernel") {
		return nil
	}
	address, ip, code := t.Index("address"), t.Index("ip"), t.Index("error_code")
	arch := c.w.machine.Arch // empty if not recorded: few other machines have these events
	x86 := arch == "" || arch == "x86_64" || arch == "i686" || arch == "i586" || arch == "i386"
	return func(ev *tracec.Event) {
		c.row = Fault{
			Row: Row{Begin: ev.Time, End: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, Address: bitsAt(ev, address),
			IP: bitsAt(ev, ip), ErrorCode: bitsAt(ev, code), User: user, x86: x86,
		}
		if !user {
			c.row.Function, _, _ = ev.Symbol(c.row.IP)
		}
		c.yield(&c.row)
	}
}
