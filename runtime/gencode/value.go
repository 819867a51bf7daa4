package gencode

import "github.com/tracec/tracec/runtime/render"

// Integer is the constraint for the values of rendering programs.
type Integer interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64
}

// Div returns x / y as the IR defines it, which is 0 if y is 0. As in the IR, the most negative
// number divided by -1 is itself in Go.
func Div[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x / y
}

// Rem returns x % y as the IR defines it, which is 0 if y is 0.
func Rem[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x % y
}

// Pick returns cond ? a : b.
func Pick[T Integer](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}

// Truth returns the C value of a condition.
func Truth(cond bool) int32 {
	if cond {
		return 1
	}
	return 0
}

// BigEndian reports the byte order of bytes that relocation leaves as recorded. If env is nil, it
// is little-endian.
func BigEndian(env *render.Env) bool { return env != nil && env.BigEndian }

// Longs returns env for text whose words were relocated into size bytes each. It returns env
// itself, or a copy in buf if the recording's own words have another size.
func Longs(buf, env *render.Env, size int) *render.Env {
	if env == nil || env.WordSize == size {
		return env
	}
	*buf = *env
	buf.WordSize = size
	return buf
}

// Event returns an event, a pointer to a struct, if it was decoded. Otherwise it returns nil.
func Event(e any, decoded bool) any {
	if !decoded {
		return nil
	}
	return e
}

// Append makes a list one element longer and returns the new element. The element has the contents
// of an earlier one in that place, so lists in it keep their memory.
func Append[T any](list *[]T) *T {
	n := len(*list)
	if n < cap(*list) {
		*list = (*list)[:n+1]
	} else {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[n]
}
