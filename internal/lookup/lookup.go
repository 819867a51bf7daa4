// Package lookup finds numbers by addresses. Reports and exports look up an address for every
// record or sample.
package lookup

// Table maps keys, such as addresses, to numbers that are not negative. It is an open hash table.
// The zero value is empty.
type Table struct {
	keys   []uint64
	values []int32 // number + 1; 0 marks a free slot
	used   int
	shift  uint
}

// minSlots is the size of the smallest table.
const minSlots = 64

// Find returns the number of a key.
func (t *Table) Find(key uint64) (int32, bool) {
	if t.used == 0 {
		return 0, false
	}
	for i := t.home(key); ; i = (i + 1) & (len(t.keys) - 1) {
		switch {
		case t.values[i] == 0:
			return 0, false
		case t.keys[i] == key:
			return t.values[i] - 1, true
		}
	}
}

func (t *Table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> (t.shift & 63)) }

// Add enters a key, which must be missing.
func (t *Table) Add(key uint64, value int32) {
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	t.put(key, value+1)
}

func (t *Table) put(key uint64, value int32) {
	i := t.home(key)
	for t.values[i] != 0 {
		i = (i + 1) & (len(t.keys) - 1)
	}
	t.keys[i], t.values[i] = key, value
	t.used++
}

func (t *Table) grow() {
	keys, values := t.keys, t.values
	n := max(minSlots, 2*len(keys))
	t.keys, t.values, t.used, t.shift = make([]uint64, n), make([]int32, n), 0, 64
	for ; n > 1; n /= 2 {
		t.shift--
	}
	for i, v := range values {
		if v != 0 {
			t.put(keys[i], v)
		}
	}
}
