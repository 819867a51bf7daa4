package render

// Sym is one row of a Table.
type Sym struct {
	Value uint64
	Text  string
}

// Table is the list of __print_symbolic and __print_flags, in the order of the description.
type Table []Sym

// Symbolic appends the text of the first row with value v, or else 0x%x of v: __print_symbolic. The
// kernel has v and the rows in an unsigned long (u64 in the _u64 variant). The caller must have cut
// them to that size.
func Symbolic(dst []byte, _ *Env, v uint64, t Table) []byte {
	for i := range t {
		if t[i].Value == v {
			// trace_print_symbols_seq tests whether any text was printed, not whether a row was
			// found. So an empty name prints the number.
			if t[i].Text == "" {
				break
			}
			return append(dst, clip(t[i].Text)...)
		}
	}
	return hex0x(dst, v)
}

// Flags appends the rows whose bits are all in v, joined by sep, and the bits of no row as 0x%x:
// __print_flags. Printing stops when no bits are left. So v = 0 prints nothing, and a row of value
// 0 is printed for any other v that reaches it (trace_print_flags_seq).
func Flags(dst []byte, _ *Env, v uint64, sep string, t Table) []byte {
	printed, start := false, len(dst)
	sep = clip(sep)
	for i := range t {
		if v == 0 || len(dst)-start > MaxText {
			break
		}
		m := t[i].Value
		if v&m != m {
			continue
		}
		v &^= m
		if printed {
			dst = append(dst, sep...)
		}
		dst = append(dst, clip(t[i].Text)...)
		printed = true
	}
	if v == 0 {
		return dst
	}
	if printed {
		dst = append(dst, sep...)
	}
	return hex0x(dst, v)
}
