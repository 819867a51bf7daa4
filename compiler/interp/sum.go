package interp

import "github.com/tracec/tracec/compiler/ir"

// sum is a constant plus two local values, each multiplied by a constant, which may be 0. Places
// and lengths in payloads are such sums.
type sum struct {
	k     uint64
	slots [2]int
	times [2]uint64 // if [0] is 0, so is [1]
}

// of returns the value of the sum.
func (s *sum) of(m *Machine) uint64 {
	v := s.k
	if s.times[0] != 0 {
		v += m.slots[s.slots[0]] * s.times[0]
	}
	if s.times[1] != 0 {
		v += m.slots[s.slots[1]] * s.times[1]
	}
	return v
}

// sumOf returns a value as a sum. A nil value is 0. ok is false if the value is not a sum.
func sumOf(v ir.Value) (s sum, ok bool) {
	switch v := v.(type) {
	case nil:
		return s, true
	case *ir.Const:
		return sum{k: v.V}, true
	case *ir.Local:
		return sum{slots: [2]int{v.Slot}, times: [2]uint64{1}}, true
	case *ir.Binary:
		if v.Type().Size != 8 {
			return s, false
		}
		x, ok1 := sumOf(v.X)
		y, ok2 := sumOf(v.Y)
		switch ok = ok1 && ok2; {
		case ok && v.Op == ir.OpAdd:
			return x.plus(y)
		case ok && v.Op == ir.OpMul && y.times == [2]uint64{}:
			for i := range x.times {
				x.times[i] *= y.k
			}
			x.k *= y.k
			return x, x.times[0] != 0
		}
	}
	return s, false
}

// plus adds. ok is false if there are more than two local values.
func (s sum) plus(t sum) (sum, bool) {
	s.k += t.k
	for i, times := range t.times {
		switch {
		case times == 0:
		case s.times[0] == 0:
			s.slots[0], s.times[0] = t.slots[i], times
		case s.times[1] == 0:
			s.slots[1], s.times[1] = t.slots[i], times
		default:
			return s, false
		}
	}
	return s, true
}

// isRecord reports whether a region is the whole record.
func isRecord(r ir.Region) bool {
	f, ok := r.(*ir.FieldBytes)
	return ok && f.Field.Kind == ir.Tail && f.Field.Offset == 0
}
