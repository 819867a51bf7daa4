package lookup

import (
	"math/rand/v2"
	"testing"
)

// TestTable: like a map, a table has all added entries, including the key 0 and keys that share a
// place.
func TestTable(t *testing.T) {
	var table Table
	if n, ok := table.Find(0); ok {
		t.Fatalf("an empty table has %d", n)
	}
	want := map[uint64]int32{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range int32(10_000) {
		key := random.Uint64() >> (random.Uint64() % 64)
		if i == 5000 {
			key = 0
		}
		n, ok := table.Find(key)
		if old, has := want[key]; ok != has || ok && n != old {
			t.Fatalf("%#x: %d %v, want %d %v", key, n, ok, old, has)
		}
		if !ok {
			table.Add(key, i)
			want[key] = i
		}
	}
	for key, n := range want {
		if got, ok := table.Find(key); !ok || got != n {
			t.Errorf("%#x: %d %v, want %d", key, got, ok, n)
		}
	}
}
