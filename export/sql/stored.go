//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"fmt"
	"math"
)

// stored is a table in memory with the columns that a query uses. SQLite reads a table once for
// each row of the tables before it in a join.
type stored struct {
	plan   string
	batch  *batch
	tooBig bool
	all    []int32
	column int             // that places are known by, or -1
	places map[any][]int32 // rows by the value of the column
}

// store reads a table. The conditions of its plan have other values each time.
func store(t *vtable, plan string, used []bool, list []condition) (*stored, error) {
	st := &stored{plan: plan, column: -1}
	st.batch = newBatch(t.relation.columns(), used)
	most := t.db.options.Memory / 4
	s := &scan{ctx: t.db.ctx, bounds: newBounds(), used: used, batch: st.batch, most: mostRows}
	s.yield = func(struct{}) bool {
		st.tooBig = st.batch.size() > most || st.batch.rows > math.MaxInt32
		return !st.tooBig
	}
	s.keeps = true
	if err := t.relation.scan(s); err != nil {
		return nil, err
	}
	if st.tooBig {
		st.batch = nil
		t.db.warn(fmt.Errorf("a table that is joined does not fit in memory: it is read again for each row of the other; select fewer columns"))
		return st, nil
	}
	st.batch.finish()
	for _, c := range list {
		if kind := st.batch.columns[c.column].kind; c.op == equal && used[c.column] && (kind == integers || kind == texts) {
			st.column = c.column
			break
		}
	}
	st.index()
	return st, nil
}

// index finds the rows of each value.
func (st *stored) index() {
	st.all = make([]int32, st.batch.rows)
	for i := range st.all {
		st.all[i] = int32(i)
	}
	if st.column < 0 {
		return
	}
	st.places = map[any][]int32{}
	v := &st.batch.columns[st.column]
	for i := range st.all {
		if key := v.value(i); key != nil {
			key = keyOf(key)
			st.places[key] = append(st.places[key], int32(i))
		}
	}
}

// keyOf returns the key of a value: one for all texts that may be equal.
func keyOf(value any) any {
	if s, ok := value.(string); ok {
		return loose(s)
	}
	return value
}

// find returns the rows that conditions may select.
func (st *stored) find(list []condition) []int32 {
	for _, c := range list {
		if c.value == nil {
			return nil // a comparison with NULL is never true
		}
		if c.column != st.column || c.op != equal {
			continue
		}
		_, isInt := c.value.(int64)
		_, isText := c.value.(string)
		if kind := st.batch.columns[c.column].kind; isInt && kind == integers || isText && kind == texts {
			return st.places[keyOf(c.value)]
		}
	}
	return st.all
}
