package plugin

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Flags of futex(2)'s op.
const (
	futexPrivate  = 128
	futexRealtime = 256
)

// futexArg is the form in which the plugin shows an argument of a futex operation.
type futexArg uint8

const (
	argValHex futexArg = iota + 1 // val, compared with the futex word
	argVal                        // val, a number of waiters
	argUtime                      // a timeout
	argVal2                       // the same argument as a number of waiters
	argUaddr2                     //
	argVal3                       //
)

// futexOp is an operation with its arguments after uaddr.
type futexOp struct {
	name string
	args []futexArg
}

// futexOps is indexed by the operation (include/uapi/linux/futex.h).
var futexOps = [...]futexOp{
	{"FUTEX_WAIT", []futexArg{argValHex, argUtime}},
	{"FUTEX_WAKE", []futexArg{argVal}},
	{"FUTEX_FD", []futexArg{argVal}},
	{"FUTEX_REQUEUE", []futexArg{argVal, argVal2, argUaddr2}},
	{"FUTEX_CMP_REQUEUE", []futexArg{argVal, argVal2, argUaddr2, argVal3}},
	{"FUTEX_WAKE_OP", []futexArg{argVal, argVal2, argUaddr2, argVal3}},
	{"FUTEX_LOCK_PI", []futexArg{argUtime}},
	{"FUTEX_UNLOCK_PI", nil},
	{"FUTEX_TRYLOCK_PI", nil},
	{"FUTEX_WAIT_BITSET", []futexArg{argValHex, argUtime, argVal3}},
	{"FUTEX_WAKE_BITSET", []futexArg{argVal, argVal3}},
	{"FUTEX_WAIT_REQUEUE_PI", []futexArg{argValHex, argUtime, argUaddr2, argVal3}},
	{"FUTEX_CMP_REQUEUE_PI", []futexArg{argVal, argVal2, argUaddr2, argVal3}},
}

// newFutex prints the operation and its arguments. Unknown operations keep the plain text.
func newFutex(c *Context, l *layout) Handler {
	uaddr, op, val := l.num("uaddr"), l.num("op"), l.num("val")
	utime, uaddr2, val3 := l.num("utime"), l.num("uaddr2"), l.num("val3")
	if c.Plain == nil {
		return nil
	}
	plain := c.Plain(l.ev)
	if plain == nil {
		return nil
	}
	return func(dst []byte, r *record.Record) []byte {
		code := op.Uint(r.Data)
		cmd := code &^ (futexPrivate | futexRealtime)
		if cmd >= uint64(len(futexOps)) {
			return plain(dst, r)
		}
		o := &futexOps[cmd]
		dst = append(dst, "op="...)
		dst = append(dst, o.name...)
		if code&futexPrivate != 0 {
			dst = append(dst, "|FUTEX_PRIVATE_FLAG"...)
		}
		if code&futexRealtime != 0 {
			dst = append(dst, "|FUTEX_CLOCK_REALTIME"...)
		}
		dst = putHex8(dst, " uaddr=0x", uaddr.Uint(r.Data))
		for _, a := range o.args {
			switch a {
			case argValHex:
				dst = putHex8(dst, " val=0x", val.Uint(r.Data))
			case argVal:
				dst = append(dst, " val="...)
				dst = render.Udec(dst, val.Uint(r.Data))
			case argUtime:
				dst = putHex8(dst, " utime=0x", utime.Uint(r.Data))
			case argVal2:
				dst = append(dst, " val2="...)
				dst = render.Udec(dst, utime.Uint(r.Data))
			case argUaddr2:
				dst = putHex8(dst, " uaddr2=0x", uaddr2.Uint(r.Data))
			case argVal3:
				dst = putHex8(dst, " val3=0x", val3.Uint(r.Data))
			}
		}
		return dst
	}
}

func putHex8(dst []byte, label string, v uint64) []byte {
	dst = append(dst, label...)
	return render.HexPad(dst, v, 8)
}
