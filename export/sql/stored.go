//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"errors"
	"hash/maphash"
	"math"
	"math/bits"
)

// stored is a table in memory with the columns that a query uses. SQLite reads a table once for
// each row of the preceding tables in a join.
type stored struct {
	plan   string
	batch  *batch
	tooBig bool
	column int // index of the column with chains, or -1
	// Rows with the same hash of the column's value are a chain, in their order.
	first, next []int32 // first by hash, next by row; -1 for none
	seed        maphash.Seed
}

// placeBytes is the maximum size of first and next for a row.
const placeBytes = 12

// store reads a table. The conditions of its plan have different values in each scan.
func store(t *vtable, plan string, used []bool, list []condition) (*stored, error) {
	st := &stored{plan: plan, column: -1, seed: maphash.MakeSeed()}
	st.batch = newBatch(t.relation.columns(), used)
	most := t.db.options.Memory / 2
	s := &scan{ctx: t.db.ctx, bounds: newBounds(), used: used, batch: st.batch, most: mostRows}
	s.yield = func(struct{}) bool {
		st.tooBig = st.batch.size()+placeBytes*int64(st.batch.rows) > most || st.batch.rows >= math.MaxInt32
		return !st.tooBig
	}
	s.keeps = true
	if err := t.relation.scan(s); err != nil {
		return nil, err
	}
	if st.tooBig {
		st.batch = nil
		t.db.warn(errors.New("a table that is joined does not fit in memory: it is read again for each row of the other; " +
			"with NAME as materialized (select …) has SQLite store it in a file"))
		return st, nil
	}
	st.batch.finish()
	for _, c := range list {
		if kind := st.batch.columns[c.column].kind; c.op == equal && used[c.column] &&
			(kind == integers || kind == texts) {
			st.column = c.column
			st.index()
			break
		}
	}
	return st, nil
}

// index makes the chains.
func (st *stored) index() {
	st.first, st.next = make([]int32, 1<<bits.Len(uint(st.batch.rows))), make([]int32, st.batch.rows)
	for i := range st.first {
		st.first[i] = -1
	}
	v := &st.batch.columns[st.column]
	for row := st.batch.rows - 1; row >= 0; row-- {
		var first *int32
		switch {
		case v.nulls[row]:
			continue // NULL is not equal to any value
		case v.kind == integers:
			first = st.ofInteger(v.ints[row])
		default:
			first = st.ofText(v.textAt(row))
		}
		st.next[row], *first = *first, int32(row)
	}
}

// ofInteger returns the start of the chain for an integer.
func (st *stored) ofInteger(v int64) *int32 {
	return &st.first[maphash.Comparable(st.seed, v)&uint64(len(st.first)-1)]
}

// ofText returns the start of the chain for all texts that may be equal.
func (st *stored) ofText(s string) *int32 {
	return &st.first[maphash.String(st.seed, loose(s))&uint64(len(st.first)-1)]
}

// find returns the first row that conditions may select, or -1. chained reports whether the other
// such rows are in its chain. Otherwise they may be any later row.
func (st *stored) find(list []condition) (row int32, chained bool) {
	row = -1
	if st.batch.rows > 0 {
		row = 0
	}
	for _, c := range list {
		if c.value == nil {
			return -1, false // a comparison with NULL is never true
		}
		if c.column != st.column || c.op != equal {
			continue
		}
		switch kind, v := st.batch.columns[c.column].kind, c.value; v := v.(type) {
		case int64:
			if kind == integers {
				return *st.ofInteger(v), true
			}
		case string:
			if kind == texts {
				return *st.ofText(v), true
			}
		}
	}
	return row, false
}
