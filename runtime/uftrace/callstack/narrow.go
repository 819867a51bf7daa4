package callstack

import (
	"errors"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// narrow limits a merge to the records that the range needs.
func (p *Player) narrow(merge *uftrace.MergeOptions) error {
	if !p.bounded() {
		return nil
	}
	if p.window.from > 0 && p.window.first == 0 {
		if err := p.skipTo(*merge); err != nil {
			return err
		}
	}
	since, until := Range{From: p.window.from, To: p.window.to}.Window()
	if merge.Since = since; since > 0 || p.window.Ends {
		merge.Until = until
	}
	return nil
}

// bounded reports whether the bounds of the range are known before anything is played, and records
// outside of them affect only the start of elapsed times. It returns false in three cases: queues
// decide about calls before the merge, exits are estimated, or losses in the data of the kernel,
// which have no time, restart elapsed times.
func (p *Player) bounded() bool {
	r := &p.window.Range
	fixed := !r.FromElapsed && !r.ToElapsed || r.FromElapsed && (r.ToElapsed || r.To == math.MaxUint64) &&
		p.window.first != 0
	return p.window.on && fixed && !p.window.single && !p.queues() && !p.rec.Follows() &&
		p.rec.Info().Features&(uftrace.FeatKernel|uftrace.FeatEstimateReturn) == 0
}

// skipTo plays the records before the range until the start of elapsed times is known.
func (p *Player) skipTo(merge uftrace.MergeOptions) error {
	m := p.rec.Merge(merge)
	defer m.Close()
	for {
		recs, ents, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range recs {
			if p.begins(&recs[i], &ents[i]) {
				return nil
			}
		}
	}
}

// begins reports whether a record is in the range, or whether elapsed times count from it or an
// earlier record.
func (p *Player) begins(r *record.Record, e *uftrace.Entry) bool {
	t := p.foreignTask(r, e)
	if t == nil || t.ignored || p.opts.Kernel.Only && e.Source == uftrace.User {
		return false
	}
	first, returned := p.window.first, t.returned
	if p.window.outside(t, r, e) {
		return p.window.first != 0
	}
	p.window.first, t.returned = first, returned // it has not been played yet
	return true
}
