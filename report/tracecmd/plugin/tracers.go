package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// number appends v in decimal, right-aligned to width.
func number(dst []byte, v uint64, width int) []byte {
	return render.Uint(dst, v, render.Spec{Verb: 'd', Width: width, Prec: -1})
}

// left appends v in decimal, left-aligned to width.
func left(dst []byte, v uint64, width int) []byte {
	return render.Uint(dst, v, render.Spec{Verb: 'd', Width: width, Minus: true, Prec: -1})
}

func newKernelWakeup(c *Context, l *layout) Handler { return newKernelContext(c, l, "  + [") }
func newKernelSwitch(c *Context, l *layout) Handler { return newKernelContext(c, l, "==> [") }

// taskStates are the letters of task states by number (include/linux/sched.h: task_index_to_char).
const taskStates = "RSDTtXZPI"

// newKernelContext prints ` 333:120:R + [001] 17: 98:R rcu_preempt` (trace_ctxwake_print).
func newKernelContext(c *Context, l *layout, arrow string) Handler {
	prev := taskFields{l.num("prev_pid"), l.num("prev_prio"), l.num("prev_state")}
	next := taskFields{l.num("next_pid"), l.num("next_prio"), l.num("next_state")}
	cpu := l.num("next_cpu")
	threeDigits := render.Spec{Verb: 'd', Zero: true, Width: 3, Prec: -1}
	return func(dst []byte, r *record.Record) []byte {
		dst = append(prev.put(append(dst, ' '), r.Data), ' ')
		dst = append(dst, arrow...)
		dst = render.Uint(dst, cpu.Uint(r.Data), threeDigits)
		dst = append(next.put(append(dst, "] "...), r.Data), ' ')
		return append(dst, c.comm(int32(next.pid.Uint(r.Data)))...)
	}
}

type taskFields struct{ pid, prio, state *interp.Reader }

func (t *taskFields) put(dst, data []byte) []byte {
	dst = append(number(dst, t.pid.Uint(data), 7), ':')
	dst = append(number(dst, t.prio.Uint(data), 3), ':')
	if s := t.state.Uint(data); s < uint64(len(taskStates)) {
		return append(dst, taskStates[s])
	}
	return append(dst, '?')
}

// newKernelHwlat prints `#2 inner/outer(us): 1341/571 ts:1795335799.573710350 count:341`
// (trace_hwlat_print).
func newKernelHwlat(_ *Context, l *layout) Handler {
	seq, inner, outer := l.num("seqnum"), l.num("duration"), l.num("outer_duration")
	sec, nsec, count := l.num("tv_sec"), l.num("tv_nsec"), l.num("count")
	nmiTime, nmis := l.num("nmi_total_ts"), l.num("nmi_count")
	nine := render.Spec{Verb: 'd', Zero: true, Width: 9, Prec: -1}
	return func(dst []byte, r *record.Record) []byte {
		dst = left(append(dst, '#'), seq.Uint(r.Data), 5)
		dst = number(append(dst, " inner/outer(us): "...), inner.Uint(r.Data), 4)
		dst = left(append(dst, '/'), outer.Uint(r.Data), 5)
		dst = render.Dec(append(dst, " ts:"...), int64(sec.Uint(r.Data)))
		dst = render.Uint(append(dst, '.'), nsec.Uint(r.Data), nine)
		dst = render.Dec(append(dst, " count:"...), int64(int32(count.Uint(r.Data))))
		if n := nmis.Uint(r.Data); n != 0 {
			dst = render.Udec(append(dst, " nmi-total:"...), nmiTime.Uint(r.Data))
			dst = render.Udec(append(dst, " nmi-count:"...), n)
		}
		return dst
	}
}

// newKernelOsnoise prints `60089 31023 48.37158 4203 18 0 12 0 10`: runtime and noise in us, the
// available part of the CPU in percent, the longest noise, and counts (trace_osnoise_print).
func newKernelOsnoise(_ *Context, l *layout) Handler {
	runtime, noise, longest := l.num("runtime"), l.num("noise"), l.num("max_sample")
	var counts [5]*interp.Reader
	for i, name := range [...]string{"hw_count", "nmi_count", "irq_count", "softirq_count", "thread_count"} {
		counts[i] = l.num(name)
	}
	five := render.Spec{Verb: 'd', Zero: true, Width: 5, Prec: -1}
	return func(dst []byte, r *record.Record) []byte {
		total, lost := runtime.Uint(r.Data), noise.Uint(r.Data)
		ratio := (total - lost) * 10_000_000
		if total != 0 { // the kernel divides without this check
			ratio /= total
		}
		dst = render.Udec(dst, total)
		dst = number(append(dst, ' '), lost, 10)
		dst = number(append(dst, ' '), ratio/100_000, 3)
		dst = render.Uint(append(dst, '.'), ratio%100_000, five)
		dst = number(append(dst, ' '), longest.Uint(r.Data), 7)
		for _, n := range counts {
			dst = number(append(dst, ' '), n.Uint(r.Data), 6)
		}
		return dst
	}
}

// timerlatContexts are where a latency was measured (kernel/trace/trace_output.c:
// timerlat_lat_context).
var timerlatContexts = [...]string{"irq", "thread", "user-ret"}

// newKernelTimerlat prints `#2 context irq timer_latency 1337690 ns` (trace_timerlat_print).
func newKernelTimerlat(_ *Context, l *layout) Handler {
	seq, context, latency := l.num("seqnum"), l.num("context"), l.num("timer_latency")
	return func(dst []byte, r *record.Record) []byte {
		dst = left(append(dst, '#'), seq.Uint(r.Data), 5)
		dst = append(dst, " context "...)
		if n := context.Uint(r.Data); n < uint64(len(timerlatContexts)) {
			dst = putRight(dst, timerlatContexts[n], 6)
		} else {
			dst = number(dst, n, 6)
		}
		dst = number(append(dst, " timer_latency "...), latency.Uint(r.Data), 9)
		return append(dst, " ns"...)
	}
}

// Operations of mmiotrace (include/linux/mmiotrace.h: enum mm_io_opcode).
const (
	mmioRead = 1 + iota
	mmioWrite
	mmioProbe
	mmioUnprobe
	mmioUnknown
)

// putClock appends a time in seconds, in the form that mmiotrace prints within its text.
func putClock(dst []byte, ns uint64) []byte {
	us := (ns + 500) / 1000
	dst = append(render.Udec(append(dst, ' '), us/1e6), '.')
	return render.Uint(dst, us%1e6, render.Spec{Verb: 'd', Zero: true, Width: 6, Prec: -1})
}

// newKernelMMIO prints `R 4 83.966590 1 0xfebc0008 0x80080783 0x0 0`
// (kernel/trace/trace_mmiotrace.c, mmio_print_rw).
func newKernelMMIO(_ *Context, l *layout) Handler {
	phys, value, pc := l.num("phys"), l.num("value"), l.num("pc")
	id, op, width := l.num("map_id"), l.num("opcode"), l.num("width")
	return func(dst []byte, r *record.Record) []byte {
		code, v := op.Uint(r.Data), value.Uint(r.Data)
		switch code {
		case mmioRead:
			dst = render.Udec(append(dst, "R "...), width.Uint(r.Data))
		case mmioWrite:
			dst = render.Udec(append(dst, "W "...), width.Uint(r.Data))
		case mmioUnknown:
			dst = append(dst, "UNKNOWN"...)
		default:
			return append(dst, "rw what?"...)
		}
		dst = append(putClock(dst, r.Time), ' ')
		dst = render.Dec(dst, int64(int32(id.Uint(r.Data))))
		dst = putHex(dst, " 0x", phys.Uint(r.Data))
		if code == mmioUnknown {
			for i, shift := range [...]uint{16, 8, 0} {
				dst = append(dst, " ,,"[i], hexDigits[v>>(shift+4)&15], hexDigits[v>>shift&15])
			}
		} else {
			dst = putHex(dst, " 0x", v)
		}
		return append(putHex(dst, " 0x", pc.Uint(r.Data)), " 0"...)
	}
}

// newKernelMap prints `MAP 83.964849 1 0xfebc0000 0xffffcfb900420000 0x20000 0x0 0` or `UNMAP
// 84.017262 1 0x0 0`.
func newKernelMap(_ *Context, l *layout) Handler {
	phys, virt, size := l.num("phys"), l.num("virt"), l.num("len")
	id, op := l.num("map_id"), l.num("opcode")
	return func(dst []byte, r *record.Record) []byte {
		probe := false
		switch op.Uint(r.Data) {
		case mmioProbe:
			dst, probe = append(dst, "MAP"...), true
		case mmioUnprobe:
			dst = append(dst, "UNMAP"...)
		default:
			return append(dst, "map what?"...)
		}
		dst = append(putClock(dst, r.Time), ' ')
		dst = render.Dec(dst, int64(int32(id.Uint(r.Data))))
		if probe {
			dst = putHex(dst, " 0x", phys.Uint(r.Data))
			dst = putHex(dst, " 0x", virt.Uint(r.Data))
			dst = putHex(dst, " 0x", size.Uint(r.Data))
		}
		return append(dst, " 0x0 0"...)
	}
}
