package bind

import "fmt"

// arms returns the plan of the arms of a variant. The recording may have other arms. A number that
// selects an arm on both sides must select arms of the same name.
func (c *comparison) arms(want, have []Field) (p structPlan, field string, err error) {
	p = structPlan{want, have, make([]int, len(want)), make([]*structPlan, len(want)), len(have) - 1}
	for i := range want {
		w := &want[i]
		for j := range have {
			if h := &have[j]; h.Name != w.Name && overlap(w.When, h.When) {
				return p, w.Name, fmt.Errorf("%w: its selector selects %s", ErrIncompatible, h.Name)
			}
		}
		j := find(have, w.Name)
		if p.from[i] = j; j < 0 {
			continue
		}
		if field, err = c.field(&p, i, j); err != nil {
			return p, field, err
		}
	}
	return p, "", nil
}

// overlap reports whether a number is in ranges of both lists.
func overlap(a, b []Range) bool {
	for _, x := range a {
		for _, y := range b {
			if x.has(y.Low) || x.has(y.High) || y.has(x.Low) {
				return true
			}
		}
	}
	return false
}

// has reports whether a number is in the range. Negative numbers are larger than all others as
// unsigned integers, both in ranges and in values. So a negative number is never in a range by
// mistake.
func (r Range) has(n uint64) bool {
	if r.Low > r.High { // from a negative to a positive number
		return n >= r.Low || n <= r.High
	}
	return n >= r.Low && n <= r.High
}

// arm returns the place of the arm that a number selects, or -1 if there is none.
func (f *Field) arm(n uint64) int {
	for i := range f.Fields {
		for _, r := range f.Fields[i].When {
			if r.has(n) {
				return i
			}
		}
	}
	return -1
}

// refers returns the reason why h cannot become w as a length or selector of other fields, or as a
// field with a length or selector.
func (c *comparison) refers(w, h *Field) error {
	switch {
	case w.Slot > 0 && (w.bits() < h.bits() || w.Signed != h.Signed):
		return fmt.Errorf("%w: a length or selector is %s", ErrIncompatible, h.width())
	case w.From > 0 && (h.From == 0 || referent(c.want.Fields, w.From, "") != referent(c.have.Fields, h.From, "")):
		return fmt.Errorf("%w: another field is its length or selector", ErrIncompatible)
	}
	return nil
}

// referent returns the path of the field with a slot, or "" if there is none.
func referent(fields []Field, slot int, prefix string) string {
	for i := range fields {
		f := &fields[i]
		path := join(prefix, f.Name)
		if f.Slot == slot {
			return path
		}
		if in := referent(f.Fields, slot, path); in != "" {
			return in
		}
	}
	return ""
}

// slots returns the highest slot of the fields of e.
func (e *Event) slots() int { return highest(e.Fields) }

func highest(fields []Field) int {
	n := 0
	for i := range fields {
		n = max(n, fields[i].Slot, highest(fields[i].Fields))
	}
	return n
}
