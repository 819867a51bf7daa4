// Package recorded compiles the formats of an open recording of runtime/ftrace, by compiler/ftrace.
package recorded

import (
	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// Target returns the machine that recorded, and its kernel version if the recording has it.
func Target(rec *ftrace.Recording) ir.Target {
	info := rec.Info()
	big := info.ByteOrder.Uint16([]byte{0, 1}) == 1
	return ir.Target{BigEndian: big, WordSize: info.WordSize, Kernel: uint32(compiler.ParseVersion(info.Uname)),
		Names: rec}
}

// Compile compiles one format. For a text that cannot be read as a format file, the event has no
// fields and no text, and its Why holds the reason.
func Compile(f *ftrace.Format, t ir.Target) *ir.Event {
	ev, _ := compiler.CompileEvent(f.System, f.System+"/"+f.Name, f.Text, t)
	if ev == nil { // name and id are present, but not at their places in a format file
		ev = &ir.Event{Group: f.System, Name: f.Name, ID: uint32(f.ID), Why: "not a format file"}
	}
	return ev
}

// Env returns the tables that the texts of events use in addition to the record: names of kernel
// addresses, and constant strings. Only one goroutine may use it.
func Env(rec *ftrace.Recording, t ir.Target) *render.Env {
	s := &symbols{rec: rec}
	return &render.Env{BigEndian: t.BigEndian, WordSize: t.WordSize, Symbols: s, Modules: s, Strings: stringTable{rec}}
}

// symbols are the names of kernel addresses. Addresses repeat, so the last few answers are kept.
type symbols struct {
	rec   *ftrace.Recording
	last  [256]symbol
	named []address // few print fmts use names
}

// symbol is an answer to a lookup.
type symbol struct {
	addr   uint64
	name   string
	module string
	off    uint64
	ok     bool
	full   bool
}

// address is the address of a name, if it is known.
type address struct {
	name string
	addr uint64
	ok   bool
}

// Address implements render.Addresses.
func (s *symbols) Address(name string) (uint64, bool) {
	for i := range s.named {
		if a := &s.named[i]; a.name == name {
			return a.addr, a.ok
		}
	}
	a := address{name: name}
	a.addr, a.ok = s.rec.Symbols().Address(name)
	if len(s.named) < 64 {
		s.named = append(s.named, a)
	}
	return a.addr, a.ok
}

// Symbol implements render.Symbols.
func (s *symbols) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	y := s.at(addr)
	return y.name, y.off, y.ok
}

// Module implements render.Modules.
func (s *symbols) Module(addr uint64) string { return s.at(addr).module }

// at looks an address up.
func (s *symbols) at(addr uint64) *symbol {
	slot := &s.last[addr*0x9e3779b97f4a7c15>>56]
	if slot.full && slot.addr == addr {
		return slot
	}
	name, start, _, module, ok := s.rec.Symbols().Lookup(addr)
	*slot = symbol{addr: addr, name: name, module: module, off: addr - start, ok: ok, full: true}
	return slot
}

// stringTable is the table of constant strings of the kernel.
type stringTable struct{ rec *ftrace.Recording }

// String implements render.Strings.
func (t stringTable) String(addr uint64) (string, bool) { return t.rec.Printk(addr) }
