package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestDistribution compares with sorted values: exactly up to 1,024 values, beyond that to one part
// in 512.
func TestDistribution(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 100, exactValues, exactValues + 1, 50_000} {
		var d Distribution
		var list []uint64
		var sum uint64
		for range n {
			v := r.Uint64() >> (30 + r.IntN(34))
			d.Add(v)
			list = append(list, v)
			sum += v
		}
		slices.Sort(list)
		if d.Count != uint64(n) || d.Sum != sum || d.Min != list[0] || d.Max != list[n-1] || d.Mean() != sum/uint64(n) {
			t.Errorf("%d values: %d, sum %d, %d to %d", n, d.Count, d.Sum, d.Min, d.Max)
		}
		for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 1} {
			rank := max((int(q*1000)*n+999)/1000, 1)
			want, got := list[rank-1], d.Quantile(q)
			if n <= exactValues && got != want || got < want || got-want > want/512 {
				t.Errorf("%d values: quantile %v is %d, want %d", n, q, got, want)
			}
		}
		total := uint64(0)
		d.Each(func(low, n uint64) {
			for _, v := range list {
				if v >= low && (v < 2*low || low == 0 && v == 0) {
					n--
				}
			}
			if n != 0 {
				t.Errorf("from %d: %d values too many", low, int64(n))
			}
			total++
		})
		if total == 0 {
			t.Error("no histogram")
		}
	}
}

// TestDistributionEdges: one value, zeros, and values of all sizes.
func TestDistributionEdges(t *testing.T) {
	many := func(n int, v uint64) []uint64 { return slices.Repeat([]uint64{v}, n) }
	for _, c := range []struct {
		name   string
		values []uint64
		p50    uint64
		p99    uint64
		hist   string // low:count
	}{
		{"none", nil, 0, 0, ""},
		{"zero", many(1, 0), 0, 0, "0:1"},
		{"one", many(1, 7), 7, 7, "4:1"},
		{"the greatest", many(1, math.MaxUint64), math.MaxUint64, math.MaxUint64, "9223372036854775808:1"},
		{"zeros, counted", many(2000, 0), 0, 0, "0:2000"},
		{"the same, counted", many(2000, 1<<40+1), 1<<40 + 1, 1<<40 + 1, "1099511627776:2000"},
		{"the greatest, counted", many(1025, math.MaxUint64), math.MaxUint64, math.MaxUint64,
			"9223372036854775808:1025"},
		{"two", []uint64{1, 0}, 0, 1, "0:1 1:1"},
		{"three", []uint64{3, 1, 2}, 2, 3, "1:1 2:2"},
		{"1 of 100", append(many(99, 1), 4), 1, 1, "1:99 2:0 4:1"},
		{"2 of 100", append(many(98, 1), 4, 4), 1, 4, "1:98 2:0 4:2"},
	} {
		var d Distribution
		for _, v := range c.values {
			d.Add(v)
		}
		var hist []string
		d.Each(func(low, n uint64) { hist = append(hist, fmt.Sprint(low, ":", n)) })
		if got := strings.Join(hist, " "); got != c.hist || d.Quantile(0.5) != c.p50 || d.Quantile(0.99) != c.p99 {
			t.Errorf("%s: p50 %d, p99 %d, %s", c.name, d.Quantile(0.5), d.Quantile(0.99), got)
		}
	}
}

// TestWhere: conditions on the columns of a row.
func TestWhere(t *testing.T) {
	row := &State{Row: Row{Begin: 100, End: 300, CPU: 2, Thread: &Thread{TID: 7, PID: -1, Name: "kworker/0:1"}},
		State: "R", WakerCPU: -1}
	for condition, want := range map[string]bool{
		"dur > 100": true, "dur == 200": true, "dur < 100 || cpu == 2": true, "dur < 100 && cpu == 2": false,
		`thread == "kworker/0:1"`: true, `thread =~ "^kworker"`: true, `thread ~ "kw*"`: true,
		`thread !~ "^kworker"`: false,
		"pid == 1":             false, "pid != 1": false, "!(pid == 1)": true, "tid": true, "pid": false,
		"ts >= 100 && ts_end <= 300": true, `state == "Running"`: false, "waker_cpu < 0": false, "cpu == -2": false,
		"cpu > -2": true,
	} {
		c, err := Where(ThreadState, condition)
		if err != nil {
			t.Error(condition, err)
			continue
		}
		if got := c(func(i int) Value { return ThreadState.columns[i].value(row) }); got != want {
			t.Errorf("%s is %v", condition, got)
		}
	}
	for _, condition := range []string{"durr > 1", "dur + 1 > 2", "", "dur >"} {
		if _, err := Where(ThreadState, condition); err == nil {
			t.Errorf("%q is no error", condition)
		}
	}
}
