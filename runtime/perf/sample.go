package perf

// Chain calls yield for each address of the call chain of a sample, innermost first, with its mode.
// It stops when yield returns false. Marks of modes are left out.
func (x *Entry) Chain(yield func(addr uint64, mode uint16) bool) {
	o, e, b := x.Event.order, x.Event, x.Body
	if e.Attr == nil || e.Attr.SampleType&HasCallchain == 0 {
		return
	}
	at, ok := e.afterRead(b)
	if !ok || len(b)-at < 8 {
		return
	}
	mode := x.Misc & modeMask
	n := o.u64(b[at:])
	for b = b[at+8:]; n > 0 && len(b) >= 8; n, b = n-1, b[8:] {
		addr := o.u64(b)
		if addr < contextMax {
			if !yield(addr, mode) {
				return
			}
			continue
		}
		switch -int64(addr) {
		case 128:
			mode = ModeKernel
		case 512:
			mode = ModeUser
		default:
			mode = 0
		}
	}
}

// contextMax is the first mark of a context (perf.md 4.2).
const contextMax = 1<<64 - 4095

// IP returns the address of a sample.
func (x *Entry) IP() (addr uint64, ok bool) {
	if x.Event.Attr == nil || x.Event.plan.ip < 0 {
		return 0, false
	}
	return x.Event.order.u64(x.Body[x.Event.plan.ip:]), true
}

// Period returns the number of events that a sample represents. If the sample does not have it, it
// is the Rate of the attribute.
func (x *Entry) Period() (n uint64, ok bool) {
	if x.Event.Attr == nil {
		return 0, false
	}
	if x.Event.plan.period < 0 {
		return x.Event.Attr.Rate, true
	}
	return x.Event.order.u64(x.Body[x.Event.plan.period:]), true
}

// Counters calls yield with the id and the value of each counter that a sample has read: the
// event's own counter, or the counters of its group.
func (x *Entry) Counters(yield func(id, value uint64)) {
	a, o := x.Event.Attr, x.Event.order
	if a == nil || a.SampleType&HasRead == 0 || len(x.Body) < x.Event.plan.fixed {
		return
	}
	b := x.Body[x.Event.plan.fixed:]
	if o.readSize(a.ReadFormat, b) < 0 {
		return
	}
	times := 0
	for _, bit := range []uint64{ReadEnabled, ReadRunning} {
		if a.ReadFormat&bit != 0 {
			times += 8
		}
	}
	// A group has its times before all values. A single counter has them after its value.
	n, at, id, each := 1, 0, 8+times, 0
	if a.ReadFormat&ReadGroup != 0 {
		n, at, id, each = int(o.u64(b)), 8+times, 8, 8
	}
	for _, bit := range []uint64{ReadID, ReadLost} {
		if a.ReadFormat&bit != 0 {
			each += 8
		}
	}
	for ; n > 0; n-- {
		var number uint64
		if a.ReadFormat&ReadID != 0 {
			number = o.u64(b[at+id:])
		}
		yield(number, o.u64(b[at:]))
		at += each
	}
}
