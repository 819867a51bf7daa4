package summary

import (
	"math"
	"strconv"

	"github.com/tracec/tracec/internal/lookup"
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/uftrace"
)

// stat is one of the two times of a function: including the calls below it, or excluding them.
type stat struct {
	sum     uint64
	inner   uint64 // sum of recursive calls: counts for the average only
	min     uint64
	max     uint64
	squares float64
	minAt   uint64 // start of the fastest call
	maxAt   uint64
}

func (s *stat) add(ns uint64, at uint64, recursive bool) {
	if recursive {
		s.inner += ns
	} else {
		s.sum += ns
	}
	if ns < s.min {
		s.min, s.minAt = ns, at
	}
	if ns > s.max {
		s.max, s.maxAt = ns, at
	}
	s.squares += float64(ns) * float64(ns)
}

// join adds later calls. If they ran during a call of the same function, they are recursive,
// although a worker counted them as outermost calls.
func (s *stat) join(after *stat, recursive bool) {
	s.inner += after.inner
	if recursive {
		s.inner += after.sum
	} else {
		s.sum += after.sum
	}
	if after.min < s.min {
		s.min, s.minAt = after.min, after.minAt
	}
	if after.max > s.max {
		s.max, s.maxAt = after.max, after.maxAt
	}
	s.squares += after.squares
}

func (s *stat) mean(calls uint64) uint64 {
	if calls == 0 {
		return 0
	}
	return (s.sum + s.inner) / calls
}

// deviation returns the standard error in percent of the mean. It uses the mean in whole
// nanoseconds, as uftrace 0.19 does, and so differs from the exact value.
func (s *stat) deviation(calls uint64) float64 {
	mean := s.mean(calls)
	if mean == 0 || calls == 0 {
		return 0
	}
	n := float64(calls)
	variance := math.Floor(s.squares/n) - float64(mean)*float64(mean)
	if variance <= 0 {
		return 0
	}
	return 100 * math.Sqrt(variance/n) / float64(mean)
}

// row holds the sums of one function.
type row struct {
	name  string
	calls uint64
	size  uint64 // size of the function of that name that returned last
	total stat
	self  stat
	sym   *uftrace.Symbol // symbol of the function that returned last; nil if unknown
	at    uint64          // time of that return
	event bool            // not a function, such as time off the processor
	cpus  []uint64        // a bit for each processor that it ran on; empty if unknown

	index int32  // index in totals.list
	addr  uint64 // in a share: address of the calls
}

func newRow(name string) row {
	r := row{name: name}
	r.reset()
	return r
}

// reset removes all calls.
func (r *row) reset() {
	r.calls, r.sym, r.size, r.at = 0, nil, 0, 0
	r.total, r.self = stat{min: math.MaxUint64}, stat{min: math.MaxUint64}
}

// returned notes the symbol of the name that returned last.
func (r *row) returned(sym *uftrace.Symbol, size, at uint64) {
	if sym != nil && at >= r.at {
		r.sym, r.size, r.at = sym, size, at
	}
}

// join adds the later calls of a worker.
func (r *row) join(after *row, recursive bool) {
	r.calls += after.calls
	r.total.join(&after.total, recursive)
	r.self.join(&after.self, false)
}

// totals holds the rows while a recording is read. Functions of the same name share a row. The row
// of a call is found by the index of its symbol, without hashing.
type totals struct {
	name     func(*uftrace.Symbol) string
	list     []row
	bySymbol []int32 // by Symbol.Index: place in list + 1
	byName   map[string]int32
	byAddr   lookup.Table // for calls without a symbol
	ran      processors   // nil if no column needs it
	off      bool         // tracing was off at the end
	quota    *quota.Quota
}

// rowBytes is the approximate size of a row without its name, including its places in tables, in
// the order and in the text.
const rowBytes = 600

func newTotals(symbols int, name func(*uftrace.Symbol) string) *totals {
	if name == nil {
		name = (*uftrace.Symbol).Shown
	}
	return &totals{name: name, bySymbol: make([]int32, symbols), byName: map[string]int32{}}
}

// reset removes all rows. The memory remains taken from the quota.
func (b *totals) reset() {
	ran, quota := b.ran, b.quota
	*b = *newTotals(len(b.bySymbol), b.name)
	b.ran, b.quota = ran, quota
}

// find returns the row of a call.
func (b *totals) find(sym *uftrace.Symbol, addr uint64) *row {
	if sym == nil {
		return b.findAddr(addr)
	}
	i := int(sym.Index)
	if uint(i) < uint(len(b.bySymbol)) {
		if at := b.bySymbol[i]; at > 0 {
			return &b.list[at-1]
		}
	}
	return b.addSymbol(sym)
}

// addSymbol returns the row of a symbol at its first call.
func (b *totals) addSymbol(sym *uftrace.Symbol) *row {
	at := b.named(b.name(sym))
	if i := int(sym.Index); uint(i) < uint(len(b.bySymbol)) {
		b.bySymbol[i] = at + 1
	}
	return &b.list[at]
}

func (b *totals) findAddr(addr uint64) *row {
	at, ok := b.byAddr.Find(addr)
	if !ok {
		at = b.named("<" + strconv.FormatUint(addr, 16) + ">")
		b.byAddr.Add(addr, at)
	}
	return &b.list[at]
}

// findEvent returns the row of a time off the processor.
func (b *totals) findEvent(id uint64, name string) *row {
	key := id | 1<<63 // cannot be an address of a program
	at, ok := b.byAddr.Find(key)
	if !ok {
		at = b.named(name)
		b.byAddr.Add(key, at)
		b.list[at].event = true
	}
	return &b.list[at]
}

func (b *totals) named(name string) int32 {
	at, ok := b.byName[name]
	if !ok {
		if b.quota != nil {
			b.quota.Take(int64(len(name)) + rowBytes)
		}
		at = int32(len(b.list))
		b.list = append(b.list, newRow(name))
		b.list[at].index = at
		b.byName[name] = at
	}
	return at
}

// rows returns the functions with calls.
func (b *totals) rows() []*row {
	rows := make([]*row, 0, len(b.list))
	for i := range b.list {
		if b.list[i].calls > 0 {
			rows = append(rows, &b.list[i])
		}
	}
	return rows
}

// add adds one call of a thread.
func (b *totals) add(r *row, thread int, total, child, at uint64, recursive bool) {
	r.add(total, child, at, recursive)
	if b.ran != nil {
		b.ran.note(r, thread, at, at+total)
	}
}

func (r *row) add(total, child, at uint64, recursive bool) {
	r.calls++
	self := uint64(0)
	if total > child {
		self = total - child
	}
	r.total.add(total, at, recursive)
	r.self.add(self, at, false)
}
