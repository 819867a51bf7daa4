package uftrace

import "strconv"

// String returns the spec as text: arg1/i32%rdi. Sizes are always written.
func (s Spec) String() string {
	b := make([]byte, 0, 32)
	switch {
	case s.Result:
		b = append(b, "retval"...)
	case s.Float:
		b = strconv.AppendInt(append(b, "fparg"...), int64(s.Index), 10)
	default:
		b = strconv.AppendInt(append(b, "arg"...), int64(s.Index), 10)
	}
	b = append(b, '/', s.Format)
	switch s.Format {
	case 's', 'S':
	case 'e':
		b = append(append(b, ':'), s.TypeName...)
	case 't':
		b = strconv.AppendInt(b, int64(s.Size), 10)
		if s.TypeName != "" {
			b = append(append(b, ':'), s.TypeName...)
		}
	default:
		b = strconv.AppendInt(b, int64(s.Size)*8, 10)
	}
	if s.Location != "" {
		b = append(append(b, '%'), s.Location...)
	}
	return string(b)
}
