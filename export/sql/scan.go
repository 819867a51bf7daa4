package sql

import (
	"context"
	"iter"
)

// A relation is a table whose rows can be scanned.
type relation interface {
	columns() []Column
	// rule returns the kind of selection by conditions on a column before rows are made.
	rule(column int) rule
	// scan appends rows to the batch of s. It calls s.end after each row, until that returns false.
	scan(s *scan) error
}

// A rule is the kind of selection that conditions on a column allow.
type rule uint8

const (
	noRule rule = iota
	byTime
	byCPU
	byTask
	byName
	byRecording
)

// scan is one pass over the rows of a relation.
type scan struct {
	ctx    context.Context
	bounds bounds
	used   []bool
	batch  *batch
	most   int  // maximum number of rows of the batch
	keeps  bool // the batch keeps all rows
	ended  bool // the caller needs no more rows
	yield  func(struct{}) bool
}

// Sizes of batches. The first ones are small: a query with a limit reads little.
const (
	firstRows  = 16
	mostRows   = 512
	batchBytes = 256 << 10
)

// end ends a row. It returns false if no more rows are needed.
func (s *scan) end() bool {
	s.batch.rows++
	if s.keeps {
		return s.batch.rows%mostRows != 0 || s.yield(struct{}{})
	}
	return s.batch.rows < s.most && !s.heavy() || s.flush()
}

// heavy reports whether texts take much memory. It looks at some rows only.
func (s *scan) heavy() bool { return s.batch.rows&15 == 0 && s.batch.size() > batchBytes }

// flush yields the batch.
func (s *scan) flush() bool {
	s.batch.finish()
	if s.ended = !s.yield(struct{}{}); s.ended {
		return false
	}
	s.batch.reset()
	s.most = min(2*s.most, mostRows)
	return true
}

// all scans a relation, and yields its last rows.
func (s *scan) all(r relation) error {
	err := r.scan(s)
	if err == nil && s.batch.rows > 0 && !s.ended {
		s.flush()
	}
	return err
}

// pull begins to scan a relation. next returns false at the end, and err then returns the error.
// The scan runs only during next, as if on the goroutine of the caller.
func (s *scan) pull(r relation) (next func() (more bool), stop func(), err func() error) {
	var failed error
	pulled, stop := iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		failed = s.all(r)
	})
	return func() bool {
		_, ok := pulled()
		return ok
	}, stop, func() error { return failed }
}
