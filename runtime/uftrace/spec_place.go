package uftrace

import (
	"strconv"
	"strings"
)

// place is the place where the recorder finds a value. Specs of a function with the same place are
// the same value (uftrace.md 1.7). Their formats may differ, and in registers and on the stack also
// their numbers.
type place struct {
	kind     placeKind
	number   int    // number of the argument, or 0 for a result; on the stack, the offset
	register string // in lower case
}

type placeKind uint8

const (
	byIndex    placeKind = iota // arg1, retval
	byFloat                     // fparg1, or any value with format f
	inRegister                  // %rdi; for a structure the last register
	onStack                     // %stack+1
)

func (r specReader) place(s *Spec) place {
	loc := strings.ToLower(s.Location)
	if s.Format == 't' {
		// Words other than registers are skipped. Without any register the structure is found by
		// its number.
		if off, ok := strings.CutPrefix(loc, "stack+"); ok {
			n, _, _ := leadingNumber(off)
			return place{kind: onStack, number: n}
		}
		parts := strings.Split(loc, "+")
		for i := len(parts) - 1; i >= 0; i-- {
			if r.register(parts[i]) {
				return place{kind: inRegister, register: parts[i]}
			}
		}
		loc = ""
	}
	if off, ok := strings.CutPrefix(loc, "stack"); ok {
		n, _ := strconv.Atoi(off)
		return place{kind: onStack, number: n}
	}
	switch {
	case loc != "":
		return place{kind: inRegister, register: loc}
	case s.Float || s.Format == 'f':
		return place{kind: byFloat, number: s.Index}
	}
	return place{number: s.Index}
}

// register reports whether a word names a register for arguments, in lower case. The registers of
// x86 are known. On other machines any name is accepted.
func (r specReader) register(name string) bool {
	if r.x86 {
		switch name {
		case "rdi", "rsi", "rdx", "rcx", "r8", "r9":
			return r.wordSize == 8
		case "ecx", "edx":
			return r.wordSize == 4
		}
		n, ok := strings.CutPrefix(name, "xmm")
		return ok && len(n) == 1 && n[0] >= '0' && n[0] <= '7'
	}
	for i := range len(name) {
		if c := name[i]; !(c >= 'a' && c <= 'z' || i > 0 && isDigit(c)) {
			return false
		}
	}
	return name != "" && name != "stack"
}
