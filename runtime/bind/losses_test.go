package bind

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// TestLostBeforeShort: losses before a record that is not yielded count as losses before the next
// yielded record of its stream. The records themselves are unchanged.
func TestLostBeforeShort(t *testing.T) {
	rec := func(time uint64, s string, lost int64) record.Record {
		r := of(time, s)
		if r.Lost = lost; s == "" {
			r.Data = nil
		}
		return r
	}
	var lists [][]record.Record
	d := decoderOf(t, container(func(record.Options) []*feed[none] {
		other := rec(9, "-", 2)
		other.ID = 77
		lists = [][]record.Record{
			{rec(1, "a", 0), rec(2, "", 5), rec(3, "", 1), rec(4, "b", 3), rec(8, "", 7)},
			{other, rec(9, "c", 0)}, {rec(10, "", 1)},
			{rec(5, "d", 0), rec(6, "", record.LostUnknown)}, {rec(8, "e", 4)},
		}
		return []*feed[none]{plain(io.EOF, lists[:3]...), plain(io.EOF, lists[3:]...)}
	}))
	want := map[string]int64{"a": 0, "b": 9, "c": 9, "d": 0, "e": record.LostUnknown}
	for name, way := range ways {
		got := map[string]int64{}
		if err := way(t, d, func(r *record.Record, _ any) { got[string(r.Data[:1])] = r.Lost }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" || d.Stats() != (Stats{Other: 1, Short: 5}) {
			t.Errorf("%s: %+v (-want +got):\n%s", name, d.Stats(), diff)
		}
		var after [][]int64
		for _, list := range lists {
			lost := []int64{}
			for _, r := range list {
				lost = append(lost, r.Lost)
			}
			after = append(after, lost)
		}
		if diff := cmp.Diff([][]int64{{0, 5, 1, 3, 7}, {2, 0}, {1}, {0, record.LostUnknown}, {4}}, after); diff != "" {
			t.Errorf("%s: a stream has other records than it had (-want +got):\n%s", name, diff)
		}
	}
}
