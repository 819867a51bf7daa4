package about

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/symbols/program"
	"github.com/tracec/tracec/runtime/uftrace"
)

// programSymbol is a symbol of a program's file.
type programSymbol struct {
	addr, size uint64
	name       string
	slot       bool // in the procedure linkage table
}

// symbols lists the symbols of the program. uftrace reads them from the recorded program, not from
// the recording. Without that file the lists are empty.
func symbols(rec *uftrace.Recording, opts *Options) ([]byte, error) {
	name := opts.Name
	if name == nil {
		name = demangle.Simple
	}
	list, err := readSymbols(rec, opts.Style)
	if errors.Is(err, uftrace.ErrLimit) {
		return nil, err
	}
	if err != nil {
		list = nil // not a program, or not in ELF format
	}
	for i := range list {
		list[i].name = name(list[i].name)
	}
	list = unique(list)
	block := func(out []byte, heading string, slot bool) []byte {
		out = append(out, heading...)
		for i, s := range list {
			if s.slot == slot {
				out = fmt.Appendf(out, "[%2d] %s: %s (size: %d)\n", i, address(s.addr), s.name, s.size)
			}
		}
		return out
	}
	out := block(nil, "Normal symbols\n==============\n", false)
	return block(out, "\n\nDynamic symbols\n===============\n", true), nil
}

// address formats an address as C does with %#lx: 0 has no prefix.
func address(addr uint64) string {
	if addr == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", addr)
}

// unique keeps one name for each address, such as free for free and __libc_free. It is the first
// name that does not begin with an underscore, else the first name.
func unique(list []programSymbol) []programSymbol {
	var kept []programSymbol
	for _, s := range list {
		n := len(kept) - 1
		switch {
		case n < 0 || kept[n].addr != s.addr:
			kept = append(kept, s)
		case strings.HasPrefix(kept[n].name, "_") && !strings.HasPrefix(s.name, "_"):
			kept[n] = s
		}
	}
	return kept
}

// readSymbols reads functions, objects and the slots of library calls, sorted by address.
func readSymbols(rec *uftrace.Recording, style values.Style) ([]programSymbol, error) {
	f, err := rec.OpenProgram(rec.Info().ExeName)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	calls, err := f.Linkage()
	if err != nil {
		return nil, err
	}
	if style != values.V013 || len(calls) == 0 { // newer versions, or a program without a linkage table
		more, err := f.GlobalCalls()
		if err != nil {
			return nil, err
		}
		calls = append(calls, more...)
	}
	var list []programSymbol
	for _, s := range calls {
		list = append(list, programSymbol{s.Addr, s.Size, s.Name, true})
	}
	err = f.Each(func(s *program.Symbol) {
		if t := s.Type; t != elf.STT_FUNC && t != elf.STT_OBJECT && t != elf.STT_GNU_IFUNC || s.Size == 0 {
			return
		}
		name := s.Name
		if !demangle.Mangled(name) { // demangling removes versions
			name, _, _ = strings.Cut(name, "@") // such as stdout@GLIBC_2.2.5
		}
		list = append(list, programSymbol{addr: s.Addr, size: s.Size, name: name})
	})
	slices.SortStableFunc(list, func(a, b programSymbol) int { return cmp.Compare(a.addr, b.addr) })
	return list, err
}
