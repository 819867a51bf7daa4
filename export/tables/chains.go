package tables

import (
	"github.com/tracec/tracec/runtime/pair"
	"github.com/tracec/tracec/runtime/record"
)

// place is the place of a request. Requests rarely have the same place at one time. The struct has
// no padding, which makes its hash fast.
type place struct {
	sector uint64
	device uint64 // shifted by 2, and its placeKind
}

// placeKind distinguishes requests with the same sector number.
type placeKind uint8

const (
	sectors placeKind = iota
	flush             // the kernel's own flush of a device
	empty             // without sectors: requests that wait for a flush, commands
)

// placeOf returns the place of a request by its first sector.
func placeOf(dev uint32, kind placeKind, sector uint64) place {
	return place{sector, uint64(dev)<<2 | uint64(kind)}
}

func (p place) kind() placeKind { return placeKind(p.device & 3) }

// chains holds requests by place. Requests with the same place are in order.
type chains struct {
	pair.Table[place, chain]
	rest int // number of requests that are not the first of their place
}

// chain holds the requests of a place, the oldest first.
type chain struct {
	first *Request
	rest  []*Request
}

// maxRest bounds the number of requests that are not the first of their place. A disk has a queue
// of a few hundred requests, most of them at different sectors.
const maxRest = 1 << 12

// init sets the function that is called for requests that are given up.
func (c *chains) init(gone func(*Request, Reason)) {
	c.AcrossLost = true
	c.Unpaired = func(_ place, b pair.Begun[chain], why pair.Reason) {
		gone(b.Value.first, reasonOf(why))
		for _, q := range b.Value.rest {
			gone(q, reasonOf(why))
		}
		c.rest -= len(b.Value.rest)
	}
}

// push adds a request as the last of its place. It returns false if there are too many.
func (c *chains) push(at place, r *record.Record, q *Request) bool {
	b := c.Last(at, r)
	if b == nil {
		c.Begin(at, r, chain{first: q})
		return true
	}
	if c.rest >= maxRest {
		return false
	}
	c.rest++
	b.Value.rest = append(b.Value.rest, q)
	return true
}

// take removes and returns the oldest request of a place, or nil.
func (c *chains) take(at place, r *record.Record) *Request {
	b := c.Last(at, r)
	if b == nil {
		return nil
	}
	q := b.Value.first
	if rest := b.Value.rest; len(rest) > 0 {
		b.Value.first = rest[0]
		b.Value.rest = rest[:copy(rest, rest[1:])]
		c.rest--
		return q
	}
	c.End(at, r)
	return q
}

// last returns the newest request of a place, or nil.
func (c *chains) last(at place, r *record.Record) *Request {
	b := c.Last(at, r)
	if b == nil {
		return nil
	}
	if n := len(b.Value.rest); n > 0 {
		return b.Value.rest[n-1]
	}
	return b.Value.first
}
