package ftrace

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
)

// RawPages decodes pages of a kernel's ring buffer that another container holds, such as
// kernel-cpuN.dat of uftrace. It is for one goroutine and one CPU.
type RawPages struct {
	layout layout
	size   int
	page   page
	raw    []byte
	noTask *taskless
}

// NewRawPages returns a decoder of pages. headerPage is the text of events/header_page. If it is
// "", pages have the layout of current kernels. formats describe the events. word and size are the
// sizes of a long and of a page in bytes.
func NewRawPages(headerPage string, formats []*Format, bigEndian bool, word, size int) (*RawPages, error) {
	p := &RawPages{size: size}
	p.layout.big = bigEndian
	if headerPage == "" {
		p.layout.word, p.layout.stampOff, p.layout.commit, p.layout.data = word, 0, 8, 8+word
	} else if err := p.layout.parseHeaderPage(headerPage, word); err != nil {
		return nil, err
	}
	if err := p.layout.bindCommon(formats); err != nil {
		return nil, err
	}
	if size < p.layout.data+4 || size > MaxPage {
		return nil, fmt.Errorf("%w: pages of %d bytes", ErrUnsupported, size)
	}
	p.noTask = newTaskless(formats)
	return p, nil
}

// ParseFormat reads the text of a format file. ok is false if name or id is missing.
func ParseFormat(system, text string) (f *Format, ok bool) { return parseFormat(system, text) }

// PageSize returns the number of bytes of a page.
func (p *RawPages) PageSize() int { return p.size }

// Enter begins a page. raw must not change while its records are in use. It may be shorter than a
// page. missing is the number of committed bytes that it lacks. After an error the page has no
// records.
func (p *RawPages) Enter(raw []byte) (missing int, err error) {
	missing, ok := p.page.enter(&p.layout, raw, p.size)
	p.raw = raw
	switch {
	case ok:
		return missing, nil
	case len(raw) < p.layout.data:
		err = ErrTruncated
	default:
		err = fmt.Errorf("%w: more bytes than a page has", ErrCorrupt)
	}
	p.page.data, p.page.pos = nil, 0
	return 0, err
}

// Next decodes the next record of the page. Time is as recorded, and Lost is set on the first
// record after a loss. CPU and Stream of r are not changed. The record with its header is
// raw[from:to]. ok is false at the end of the page. If the following bytes are invalid, they are
// raw[from:to], and err is set.
func (p *RawPages) Next(r *record.Record) (from, to int, ok bool, err error) {
	var one [1]record.Record
	for !p.page.ended() {
		var n int
		var f fault
		if p.layout.plain() {
			n, f = p.page.decodeFast(one[:], nil)
		} else {
			n, f = p.page.walkAny(&p.layout, one[:])
		}
		if n == 1 {
			r.Time, r.Data, r.Lost, r.ID, r.Task = one[0].Time, one[0].Data, one[0].Lost, one[0].ID, one[0].Task
			if p.noTask != nil && p.noTask.has(r.ID) {
				r.Task = -1
			}
			to = p.page.pos
			return to - len(r.Data) - p.header(len(r.Data)), to, true, nil
		}
		if f != faultNone {
			from, to = p.page.pos, len(p.page.data)
			p.page.pos = to
			return from, to, false, fmt.Errorf("%w: expected %s", ErrCorrupt, f.want())
		}
	}
	if rest := len(p.page.data) - p.page.pos; rest > 0 {
		from, to = p.page.pos, len(p.page.data)
		p.page.pos = to
		return from, to, false, fmt.Errorf("%w: expected an event that ends within the page's committed bytes",
			ErrCorrupt)
	}
	return 0, 0, false, nil
}

// header returns the number of bytes before the data of a record of the given size. In long records
// they include the length.
func (p *RawPages) header(size int) int {
	if at := p.page.pos - size - 4; at >= p.layout.data {
		word := p.layout.small(p.raw[at:], 4)
		typ := word & 31
		if p.layout.big {
			typ = word >> 27
		}
		if int(typ)*4 == size && typ <= typeMaxData {
			return 4
		}
	}
	return 8
}

// TimeExtend reports whether the entered page begins with a time extend, and returns its value in
// ns.
func (p *RawPages) TimeExtend() (ns uint64, ok bool) {
	at := p.page.pos
	if at != p.layout.data || at+8 > len(p.page.data) {
		return 0, false
	}
	word, next := p.layout.small(p.raw[at:], 4), p.layout.small(p.raw[at+4:], 4)
	typ, delta := word&31, word>>5
	if p.layout.big {
		typ, delta = word>>27, word&(1<<27-1)
	}
	return uint64(next)<<27 + uint64(delta), typ == typeExtend
}

// PageTime returns the time of the entered page.
func (p *RawPages) PageTime() uint64 { return p.page.time }
