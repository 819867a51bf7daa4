package summary

// addrTable maps addresses without a symbol to rows: open addressing, because a recording without
// symbols looks up every record here.
type addrTable struct {
	keys  []uint64 // 0 is free
	rows  []int32
	used  int
	zero  int32 // row of the address 0, + 1
	shift uint
}

func (t *addrTable) find(addr uint64) (int32, bool) {
	if addr == 0 {
		return t.zero - 1, t.zero > 0
	}
	if t.used == 0 {
		return 0, false
	}
	i := t.home(addr)
	for t.keys[i] != 0 {
		if t.keys[i] == addr {
			return t.rows[i], true
		}
		i = (i + 1) & (len(t.keys) - 1)
	}
	return 0, false
}

func (t *addrTable) home(addr uint64) int { return int(addr * 0x9e3779b97f4a7c15 >> t.shift) }

// add enters an address that is not there.
func (t *addrTable) add(addr uint64, row int32) {
	if addr == 0 {
		t.zero = row + 1
		return
	}
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	t.put(addr, row)
}

func (t *addrTable) put(addr uint64, row int32) {
	i := t.home(addr)
	for t.keys[i] != 0 {
		i = (i + 1) & (len(t.keys) - 1)
	}
	t.keys[i], t.rows[i] = addr, row
	t.used++
}

func (t *addrTable) grow() {
	keys, rows := t.keys, t.rows
	n := max(16, 2*len(keys))
	t.keys, t.rows, t.used, t.shift = make([]uint64, n), make([]int32, n), 0, 64
	for ; n > 1; n /= 2 {
		t.shift--
	}
	for i, k := range keys {
		if k != 0 {
			t.put(k, rows[i])
		}
	}
}
