package sql

import (
	"math"
	"slices"

	"github.com/tracec/tracec/export/tables"
)

// quantiles holds the quantile functions.
var quantiles = map[string]float64{"p50": 0.5, "p95": 0.95, "p99": 0.99}

// quantile collects numbers. Distributions hold integers, with a separate one for the absolute
// values of negative integers. Floats are kept unchanged.
type quantile struct {
	below, above tables.Distribution
	floats       []float64
}

// mostFloats limits the memory for floats.
const mostFloats = 1 << 22

// add adds a value. It returns false if the value is not a number, and for floats beyond
// mostFloats.
func (q *quantile) add(value any) bool {
	switch v := value.(type) {
	case nil:
	case int64:
		if v < 0 {
			q.below.Add(uint64(-v))
		} else {
			q.above.Add(uint64(v))
		}
	case float64:
		q.floats = append(q.floats, v)
		return len(q.floats) <= mostFloats
	default:
		return false
	}
	return true
}

// value returns the quantile, or nil without values.
func (q *quantile) value(part float64) any {
	below, n := int(q.below.Count), int(q.below.Count+q.above.Count)
	switch {
	case len(q.floats) > 0:
		return q.float(part)
	case n == 0:
		return nil
	}
	rank := min(max(int(math.Ceil(part*float64(n))), 1), n)
	if rank <= below {
		return -int64(ranked(&q.below, below-rank+1))
	}
	return int64(ranked(&q.above, rank-below))
}

// ranked returns the value of a rank from 1.
func ranked(d *tables.Distribution, rank int) uint64 {
	return d.Quantile((float64(rank) - 0.5) / float64(d.Count))
}

// float returns the quantile of floats. If there also are integers, they are represented by
// quantiles of their distributions.
func (q *quantile) float(part float64) any {
	all := slices.Clone(q.floats)
	for _, d := range []struct {
		of   *tables.Distribution
		sign float64
	}{{&q.below, -1}, {&q.above, 1}} {
		for rank := 1; rank <= int(d.of.Count); rank++ {
			all = append(all, d.sign*float64(ranked(d.of, rank)))
		}
	}
	slices.Sort(all)
	return all[min(max(int(math.Ceil(part*float64(len(all)))), 1), len(all))-1]
}
