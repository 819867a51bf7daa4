package tables

import (
	"math/rand/v2"
	"slices"
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

// TestWhere: conditions on the columns of a row.
func TestWhere(t *testing.T) {
	row := &State{Row: Row{Begin: 100, End: 300, CPU: 2, Thread: &Thread{TID: 7, PID: -1, Name: "kworker/0:1"}}, State: "R", WakerCPU: -1}
	for condition, want := range map[string]bool{
		"dur > 100": true, "dur == 200": true, "dur < 100 || cpu == 2": true, "dur < 100 && cpu == 2": false,
		`thread == "kworker/0:1"`: true, `thread =~ "^kworker"`: true, `thread ~ "kw*"`: true, `thread !~ "^kworker"`: false,
		"pid == 1": false, "pid != 1": false, "!(pid == 1)": true, "tid": true, "pid": false,
		"ts >= 100 && ts_end <= 300": true, `state == "Running"`: false, "waker_cpu < 0": false, "cpu == -2": false, "cpu > -2": true,
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
