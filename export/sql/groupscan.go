package sql

import (
	"encoding/binary"
	"slices"
	"strings"
)

// grouper sums up the rows of a table by their keys.
type grouper struct {
	g      *groups
	batch  *batch
	places map[string]int32 // indexes of groups, by their encoded keys
	keys   [][]any          // keys of groups
	states []state          // by group and item
	key    []byte
	last   []byte // the key of the previous row
	at     int32  // the group of the previous row
	bytes  int64  // number of bytes for groups
	unfit  bool
}

// state is the sum of an item of a group.
type state struct {
	count    int64
	sum      int64 // or the minimum or maximum of integers
	text     string
	quantile *quantile
}

// scan implements relation.
func (g *groups) scan(s *scan) error {
	gr := &grouper{g: g, places: map[string]int32{}, at: -1}
	gr.batch = newBatch(g.of.columns(), g.used)
	inner := &scan{ctx: s.ctx, bounds: g.bounds, used: g.used, batch: gr.batch, most: mostRows}
	inner.yield = func(struct{}) bool {
		gr.rows()
		return !gr.unfit && s.ctx.Err() == nil
	}
	if err := inner.all(g.of); err != nil {
		return err
	}
	if gr.unfit {
		return errUnfit
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if len(g.keys) == 0 && len(gr.keys) == 0 {
		gr.begin("", 0) // a sum over no rows is one row
	}
	for _, at := range gr.sorted() {
		for i := range g.items {
			gr.put(&s.batch.columns[i], int(at), i)
		}
		if !s.end() {
			break
		}
	}
	return nil
}

// rows adds the rows of the batch.
func (gr *grouper) rows() {
	g := gr.g
	for row := range gr.batch.rows {
		if !g.passes(gr.batch, row) {
			continue
		}
		at := gr.group(row)
		states := gr.states[int(at)*len(g.items):][:len(g.items)]
		for i := range g.items {
			gr.add(&states[i], &g.items[i], row)
		}
	}
	if gr.bytes > g.memory {
		gr.unfit = true
	}
}

// group returns the group of a row.
func (gr *grouper) group(row int) int32 {
	key := gr.key[:0]
	for _, column := range gr.g.keys {
		v := &gr.batch.columns[column]
		switch {
		case v.nulls[row]:
			key = append(key, 0)
		case v.kind == integers:
			key = binary.LittleEndian.AppendUint64(append(key, 1), uint64(v.ints[row]))
		default:
			s := v.textAt(row)
			key = append(binary.LittleEndian.AppendUint32(append(key, 2), uint32(len(s))), s...)
		}
	}
	gr.key = key
	if gr.at >= 0 && string(key) == string(gr.last) {
		return gr.at
	}
	at, ok := gr.places[string(key)]
	if !ok {
		at = gr.begin(string(key), row)
	}
	gr.at, gr.last = at, append(gr.last[:0], key...)
	return at
}

// begin begins a group.
func (gr *grouper) begin(key string, row int) int32 {
	at := int32(len(gr.keys))
	gr.places[key] = at
	var values []any
	for _, column := range gr.g.keys {
		v := gr.batch.columns[column].value(row)
		if s, ok := v.(string); ok {
			v = strings.Clone(s)
		}
		values = append(values, v)
	}
	gr.keys = append(gr.keys, values)
	gr.states = append(gr.states, make([]state, len(gr.g.items))...)
	gr.bytes += int64(2*len(key) + 100 + 48*len(gr.g.items))
	return at
}

// add adds a row to an item.
func (gr *grouper) add(s *state, a *aggregate, row int) {
	switch a.function {
	case keyOnly:
		return
	case countAll:
		s.count++
		return
	}
	v := &gr.batch.columns[a.column]
	if v.nulls[row] {
		return
	}
	s.count++
	switch a.function {
	case sumOf, avgOf:
		sum := s.sum + v.ints[row]
		gr.unfit = gr.unfit || (sum > s.sum) != (v.ints[row] > 0) && v.ints[row] != 0
		s.sum = sum
	case minOf, maxOf:
		s.extreme(v, row, a.function == minOf)
	case quantileOf:
		if s.quantile == nil {
			s.quantile = new(quantile)
		}
		s.quantile.add(v.ints[row])
		gr.bytes += quantileGrowth(s.count)
	}
}

// quantileGrowth returns the bytes by which a quantile of many values grows.
func quantileGrowth(count int64) int64 {
	if count <= 1024 {
		return 16
	}
	if count == 1025 {
		return 64 << 10
	}
	return 0
}

// extreme keeps the minimum or the maximum.
func (s *state) extreme(v *vector, row int, least bool) {
	if v.kind == integers {
		if x := v.ints[row]; s.count == 1 || least == (x < s.sum) && x != s.sum {
			s.sum = x
		}
		return
	}
	if x := v.textAt(row); s.count == 1 || least == (x < s.text) && x != s.text {
		s.text = strings.Clone(x)
	}
}

// sorted returns the groups in SQLite's order of their keys: NULL, integers, texts. A key with
// groups.down set is in descending order.
func (gr *grouper) sorted() []int32 {
	list := make([]int32, len(gr.keys))
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortFunc(list, func(a, b int32) int {
		for i, x := range gr.keys[a] {
			if o := orderOf(x, gr.keys[b][i]); o != 0 {
				if gr.g.down[i] {
					return -o
				}
				return o
			}
		}
		return 0
	})
	return list
}

// orderOf compares two keys.
func orderOf(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	if x, ok := a.(int64); ok {
		return order(x, b.(int64))
	}
	return strings.Compare(a.(string), b.(string))
}

// put appends the value of an item of a group.
func (gr *grouper) put(v *vector, at, i int) {
	if !v.used {
		return
	}
	a, s := &gr.g.items[i], &gr.states[at*len(gr.g.items)+i]
	var value any
	switch {
	case a.function == keyOnly:
		value = gr.keys[at][a.key]
	case a.function == countAll || a.function == countOf:
		value = s.count
	case s.count == 0:
	case a.function == avgOf:
		value = float64(s.sum) / float64(s.count)
	case a.function == quantileOf:
		value = s.quantile.value(a.part)
	case v.kind == texts:
		value = s.text
	default:
		value = s.sum
	}
	switch x := value.(type) {
	case nil:
		v.putNull()
	case int64:
		v.putInt(x)
	case float64:
		v.putReal(x)
	case string:
		v.putText(x)
	}
}
