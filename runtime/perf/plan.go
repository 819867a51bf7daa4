package perf

// plan holds the places that the walk needs in samples and trailers of an attribute. Places in
// samples count from the begin of the body, places in trailers from its end. In samples, -1 means
// that there is no such part, in trailers 0 (perf.md 4.1, 3).
type plan struct {
	id, ip, tid, time, addr, stream, cpu, period int // of samples
	// fixed is the number of bytes of a sample before the first part without a fixed size.
	fixed int
	// raw is the place of the size of the payload. It is -1 if there are parts without a fixed size
	// before it.
	raw int

	about                                          int // in side-band records: the thread that is their subject
	trailer                                        int // size in bytes
	trailerID, trailerTID, trailerTime, trailerCPU int
}

func planOf(a *Attr) plan {
	p := plan{id: -1, ip: -1, tid: -1, time: -1, addr: -1, stream: -1, cpu: -1, period: -1, raw: -1}
	for _, f := range []struct {
		bit SampleType
		at  *int
	}{
		{HasIdentifier, &p.id}, {HasIP, &p.ip}, {HasTID, &p.tid}, {HasTime, &p.time}, {HasAddr, &p.addr},
		{HasID, &p.id}, {HasStreamID, &p.stream}, {HasCPU, &p.cpu}, {HasPeriod, &p.period},
	} {
		if a.SampleType&f.bit == 0 {
			continue
		}
		if f.bit != HasID || p.id < 0 { // a sample may have both, with equal values
			*f.at = p.fixed
		}
		p.fixed += 8
	}
	if a.SampleType&(HasRead|HasCallchain|HasRaw) == HasRaw {
		p.raw = p.fixed
	}
	if a.Flags&SampleIDAll == 0 {
		return p
	}
	for _, f := range []struct { // from the last to the first
		bit SampleType
		at  *int
	}{
		{HasIdentifier, &p.trailerID}, {HasCPU, &p.trailerCPU}, {HasStreamID, nil}, {HasID, &p.trailerID},
		{HasTime, &p.trailerTime}, {HasTID, &p.trailerTID},
	} {
		if a.SampleType&f.bit == 0 {
			continue
		}
		p.trailer += 8
		if f.at != nil && *f.at == 0 {
			*f.at = p.trailer
		}
	}
	return p
}

// about is the place of the thread that a record is about. The records for the processes that perf
// finds when it begins have no thread in their trailers.
var about = map[Kind]int{Mmap: 4, Mmap2: 4, Comm: 4, Fork: 8, Exit: 8, Namespaces: 4, ItraceStart: 4, Read: 4}

// readSize returns the size in bytes of the values of a read at the start of b. It returns -1 if
// they are incomplete.
func (o order) readSize(format uint64, b []byte) int {
	each := 1
	for _, bit := range []uint64{ReadID, ReadLost} {
		if format&bit != 0 {
			each++
		}
	}
	times := 0
	for _, bit := range []uint64{ReadEnabled, ReadRunning} {
		if format&bit != 0 {
			times++
		}
	}
	n := uint64(each + times)
	if format&ReadGroup != 0 {
		if len(b) < 8 {
			return -1
		}
		members := o.u64(b)
		if members > uint64(len(b)) {
			return -1
		}
		n = 1 + uint64(times) + members*uint64(each)
	}
	if n > uint64(len(b))/8 {
		return -1
	}
	return int(n) * 8
}

// afterRead returns the offset of the part of a sample after the values of counters. It returns
// false if the parts before it do not fit.
func (e *Event) afterRead(body []byte) (at int, ok bool) {
	at = e.plan.fixed
	if len(body) < at {
		return 0, false
	}
	if e.Attr.SampleType&HasRead != 0 {
		n := e.order.readSize(e.Attr.ReadFormat, body[at:])
		if n < 0 {
			return 0, false
		}
		at += n
	}
	return at, true
}

// raw returns the payload of a sample, or nil if it has none. It returns false if its parts do not
// fit.
func (e *Event) raw(body []byte) (data []byte, ok bool) {
	o, at := e.order, e.plan.raw
	if at < 0 {
		if at, ok = e.rawAt(body); !ok || e.Attr.SampleType&HasRaw == 0 {
			return nil, ok
		}
	}
	from := at + 4
	if len(body) < from {
		return nil, false
	}
	n := o.u32At(body, at)
	if uint64(n) > uint64(len(body)-from) {
		return nil, false
	}
	end := from + int(n)
	return body[from:end:end], true
}

// rawAt returns the offset of the size of the payload of a sample. It returns false if the parts
// before it do not fit.
func (e *Event) rawAt(body []byte) (at int, ok bool) {
	at, ok = e.afterRead(body)
	if ok && e.Attr.SampleType&HasCallchain != 0 {
		if len(body)-at < 8 || e.order.u64(body[at:]) > uint64(len(body)-at-8)/8 {
			return 0, false
		}
		at += 8 + 8*int(e.order.u64(body[at:]))
	}
	return at, ok
}
