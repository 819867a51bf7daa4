package uftrace

import (
	"io"
	"sort"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// mostBeyond is the number of entries after its end that a part keeps. A call among them has the
// number of open calls.
const mostBeyond = 4

// part is the state of a stream that is read for a slice.
type part struct {
	*record.Part
	began   position   // of the last batch
	log     damage.Log // damage of the part
	unsaid  damage.Log // damage of the last batch: it comes after the records of the batch
	started bool
	places  []landmark
	prior   Entry   // the last call, or end of a call, before the part, as far as that was read; otherwise Lost
	beyond  []Entry // after the end
	alone   bool    // no other stream shares its lookups
}

// partial is a stream that is read for a slice.
type partial interface {
	// read returns the next records of the file.
	read() (record.Batch[Entry], error)
	// within moves the selected records of the part together and returns them.
	within(record.Batch[Entry]) record.Batch[Entry]
	// restart continues at a place of the file.
	restart(record.Place)
}

// newPart returns the state of a stream for its part before it reads.
func (r *Recording) newPart(slice *record.Part, list []landmark) *part {
	if i := after(list, slice.Last-1); slice.Last > 0 && i < len(list) {
		slice.Near = list[i].at + minBlock // the record that ends the part comes after its last record
	}
	p := &part{Part: slice, places: list, prior: Entry{Kind: Lost}}
	slice.Accept = func() { r.damage.Join(&p.log) }
	return p
}

// next returns the next selected records of the part.
func (p *part) next(s partial, c *choice.Choice) (record.Batch[Entry], error) {
	if !p.started {
		p.started = true
		p.start(s)
	}
	for !p.Ended {
		if err := c.Err(); err != nil {
			return record.Batch[Entry]{}, err
		}
		b, err := s.read()
		b = s.within(b)
		if err != nil {
			p.log.Join(&p.unsaid)
			p.endFile()
		}
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
	return record.Batch[Entry]{}, io.EOF
}

// start moves to where the part begins, or to an earlier place.
func (p *part) start(s partial) {
	switch {
	case p.From != nil && *p.From == record.AtEnd:
		p.end(record.AtEnd)
	case p.From != nil:
		s.restart(*p.From)
	case p.First > 0:
		if at := p.before(p.First); at > 0 { // otherwise the part begins at the beginning of the stream
			s.restart(record.Place{At: at})
		}
	}
}

// begin notes that the part begins with a record, and the record's place. Records read before it
// belong to other slices.
func (p *part) begin(r *record.Record, here record.Place) {
	if p.From != nil {
		r.Lost = p.From.Lost
	} else {
		p.log = damage.Log{}
	}
	here.Lost = r.Lost
	p.Begun, p.Begin = true, here
}

// end notes the end of the part.
func (p *part) end(at record.Place) {
	if !p.Begun {
		p.log = damage.Log{} // damage of other slices
	}
	p.EndAt(at)
}

// endFile notes that the part is the last one. If it has no entry, the next one is a call with as
// many open calls as the file leaves open.
func (p *part) endFile() {
	if e := p.prior; !p.Begun && e.Kind <= Leave {
		p.beyond = []Entry{{Kind: Enter, Depth: e.Depth + 1 - uint16(e.Kind)}}
	}
	p.end(record.AtEnd)
}

// before returns the place of a record before a time, or 0 if none is known.
func (p *part) before(time uint64) int64 {
	i := after(p.places, time)
	if i == 0 {
		return 0
	}
	return p.places[i-1].at
}

// after returns the number of the first landmark whose record is not before a time.
func after(list []landmark, time uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].time > time })
}
