package interp

import "github.com/tracec/tracec/runtime/render"

// env shortens the signatures below.
type env = *render.Env

// numbers binds a render function that takes only numbers. If fn has another signature, it returns
// nil.
func numbers(fn any, a *operands) textFn {
	switch f := fn.(type) {
	case func([]byte, env, uint64) []byte:
		v := a.v[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m)) }
	case func([]byte, env, uint64, uint64) []byte:
		v := [2]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v[0](m), v[1](m)) }
	case func([]byte, env, uint64, uint64, uint64) []byte:
		v := [3]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v[0](m), v[1](m), v[2](m)) }
	case func([]byte, env, uint64, uint64, uint64, uint64) []byte:
		v := [4]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte {
			return f(dst, m.env, v[0](m), v[1](m), v[2](m), v[3](m))
		}
	case func([]byte, env, uint64, uint64, uint64, uint64, uint64) []byte:
		v := [5]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte {
			return f(dst, m.env, v[0](m), v[1](m), v[2](m), v[3](m), v[4](m))
		}
	}
	return nil
}

// fewArguments binds a render function of one or two parameters, not counting the byte order o. One
// of the parameters is not a number. If fn has another signature, it returns nil.
func fewArguments(fn any, a *operands, big bool) textFn {
	switch f := fn.(type) {
	case func([]byte, env, uint64, string) []byte:
		v, s := a.v[0], a.s[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m), s) }
	case func([]byte, env, uint64, render.Table) []byte:
		v, t := a.v[0], *a.t[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m), t) }
	case func([]byte, env, uint64, []byte) []byte:
		v, r := a.v[0], a.r[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m), r(m)) }
	case func([]byte, env, []byte) []byte:
		r := a.r[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m)) }
	case func([]byte, env, []byte, bool) []byte:
		r := a.r[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), big) }
	case func([]byte, env, []byte, uint64) []byte:
		r, v := a.r[0], a.v[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), v(m)) }
	case func([]byte, env, []byte, string) []byte:
		r, s := a.r[0], a.s[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), s) }
	case func([]byte, env, []byte, bool, uint64) []byte:
		r, v := a.r[0], a.v[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), big, v(m)) }
	}
	return nil
}

// hooked binds a render function of a constant string and numbers. If fn has another signature, it
// returns nil.
func hooked(fn any, a *operands) textFn {
	switch f := fn.(type) {
	case func([]byte, env, string) []byte:
		s := a.s[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, s) }
	case func([]byte, env, string, uint64) []byte:
		s, v := a.s[0], a.v[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, s, v(m)) }
	case func([]byte, env, string, uint64, uint64) []byte:
		s, v := a.s[0], [2]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, s, v[0](m), v[1](m)) }
	case func([]byte, env, string, uint64, uint64, uint64) []byte:
		s, v := a.s[0], [3]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, s, v[0](m), v[1](m), v[2](m)) }
	}
	return nil
}

// manyArguments is fewArguments for the other signatures.
func manyArguments(fn any, a *operands, big bool) textFn {
	switch f := fn.(type) {
	case func([]byte, env, uint64, string, string) []byte:
		v, s := a.v[0], [2]string(a.s)
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m), s[0], s[1]) }
	case func([]byte, env, uint64, string, render.Table) []byte:
		v, s, t := a.v[0], a.s[0], *a.t[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, v(m), s, t) }
	case func([]byte, env, []byte, uint64, string) []byte:
		r, v, s := a.r[0], a.v[0], a.s[0]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), v(m), s) }
	case func([]byte, env, []byte, uint64, uint64) []byte:
		r, v, w := a.r[0], a.v[0], a.v[1]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), v(m), w(m)) }
	case func([]byte, env, []byte, bool, uint64, uint64) []byte:
		r, v, w := a.r[0], a.v[0], a.v[1]
		return func(m *Machine, dst []byte) []byte { return f(dst, m.env, r(m), big, v(m), w(m)) }
	case func([]byte, env, string, uint64, uint64, uint64, []byte, uint64, uint64) []byte: // HexDump
		s, r, v := a.s[0], a.r[0], [5]valueFn(a.v)
		return func(m *Machine, dst []byte) []byte {
			return f(dst, m.env, s, v[0](m), v[1](m), v[2](m), r(m), v[3](m), v[4](m))
		}
	}
	return nil
}
