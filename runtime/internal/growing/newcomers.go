package growing

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/tracec/tracec/runtime/record"
)

// newcomers is a stream of streams.
type newcomers[E any] struct {
	watch  *Watch
	live   *record.Live
	find   func() []record.Stream[E]
	wanted func() bool       // reports whether other streams wait for new streams; if nil, they do not
	merge  *record.Merger[E] // nil if there are no new streams
	looked time.Time
	seen   time.Time
}

// Newcomers returns a stream that merges all streams that a recording did not have when it was
// opened. So the streams of a recording stay the same while it is read. find returns the growing
// streams that are new since its last call. While wanted returns true, other streams wait a Delay
// for new ones, because their records may be older. wanted may be nil, which means never. ctx is
// the context of the walk and may be nil.
func Newcomers[E any](
	ctx context.Context, w *Watch, wanted func() bool, find func() []record.Stream[E],
) record.Stream[E] {
	return &newcomers[E]{watch: w, live: w.Live(ctx), wanted: wanted, find: find}
}

// Optional implements record.Optional.
func (n *newcomers[E]) Optional() bool { return n.merge == nil && !n.waits() }

// waits reports whether other streams wait for new ones.
func (n *newcomers[E]) waits() bool { return n.wanted != nil && n.wanted() }

// Live implements record.Growing.
func (n *newcomers[E]) Live() *record.Live { return n.live }

// Seen implements record.Growing.
func (n *newcomers[E]) Seen() time.Time { return n.seen }

// Next implements record.Stream.
func (n *newcomers[E]) Next() (record.Batch[E], error) {
	ended := n.watch.Ended()
	if ended || time.Since(n.looked) >= n.watch.follow.Poll {
		n.looked = time.Now()
		n.add(n.find())
	}
	for n.merge != nil && n.merge.Ask() {
		records, entries, err := n.merge.NextRun()
		switch {
		case errors.Is(err, io.EOF):
			n.merge = nil
		case err != nil:
			return record.Batch[E]{}, err
		default:
			n.seen = n.merge.Seen()
			return record.Batch[E]{Records: records, Entries: entries}, nil
		}
	}
	if ended && n.merge == nil {
		return record.Batch[E]{}, n.watch.End()
	}
	return record.Batch[E]{}, record.ErrPending
}

func (n *newcomers[E]) add(list []record.Stream[E]) {
	if n.merge == nil && len(list) > 0 {
		if n.waits() {
			list = append(list, &unborn[E]{n.watch, n.live, n.wanted})
		}
		n.merge = record.Merge(list, nil)
		return
	}
	for _, s := range list {
		n.merge.Add(s)
	}
}

// unborn represents streams that may appear. Existing streams wait for it.
type unborn[E any] struct {
	watch  *Watch
	live   *record.Live
	wanted func() bool
}

// Live implements record.Growing.
func (u *unborn[E]) Live() *record.Live { return u.live }

// Seen implements record.Growing.
func (u *unborn[E]) Seen() time.Time { return time.Time{} }

// Next implements record.Stream.
func (u *unborn[E]) Next() (record.Batch[E], error) {
	if u.watch.Ended() || !u.wanted() {
		return record.Batch[E]{}, io.EOF
	}
	return record.Batch[E]{}, record.ErrPending
}
