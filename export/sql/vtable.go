//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"fmt"
	"strconv"
	"strings"

	"modernc.org/sqlite/vtab"
)

// vtable is a table in SQLite.
type vtable struct {
	db       *Database
	relation relation
}

// comparisons holds the operators of conditions that select rows before they are made.
var comparisons = map[vtab.ConstraintOp]comparison{
	vtab.OpEQ: equal, vtab.OpLT: less, vtab.OpLE: lessOrEqual, vtab.OpGT: greater, vtab.OpGE: greaterOrEqual,
}

// The costs of plans, which SQLite only compares. It reads a table once for each row of the tables
// that it puts before it in a join.
const (
	wholeCost  = 1e9
	boundCost  = 1e8
	lookupCost = 1e3
	wholeRows  = 1_000_000
	boundRows  = 100_000
	lookupRows = 1_000
)

// BestIndex implements vtab.Table. IdxStr has the used columns as a hexadecimal number, and a word
// for each condition: its operator and its column. SQLite checks all conditions again, since the
// type and the collation of the comparison are not known here.
func (t *vtable) BestIndex(info *vtab.IndexInfo) error {
	plan := []string{strconv.FormatUint(info.ColUsed, 16)}
	info.EstimatedCost, info.EstimatedRows = wholeCost, wholeRows
	for i := range info.Constraints {
		c := &info.Constraints[i]
		op, ok := comparisons[c.Op]
		if !ok || !c.Usable || c.Column < 0 {
			continue
		}
		on := t.relation.rule(c.Column)
		if on == noRule && op != equal {
			continue
		}
		c.ArgIndex = len(plan) - 1
		plan = append(plan, string(op)+strconv.Itoa(c.Column))
		switch {
		case op == equal:
			info.EstimatedCost, info.EstimatedRows = lookupCost, lookupRows
		case info.EstimatedCost > boundCost:
			info.EstimatedCost, info.EstimatedRows = boundCost, boundRows
		}
	}
	info.IdxStr = strings.Join(plan, " ")
	return nil
}

// Open implements vtab.Table.
func (t *vtable) Open() (vtab.Cursor, error) { return &cursor{table: t}, nil }

// Disconnect implements vtab.Table.
func (t *vtable) Disconnect() error { return nil }

// Destroy implements vtab.Table.
func (t *vtable) Destroy() error { return nil }

// condition is a condition on a column and its value.
type condition struct {
	column int
	op     comparison
	value  any
}

// readPlan reads the plan of BestIndex.
func (t *vtable) readPlan(plan string, values []vtab.Value) (used []bool, list []condition, err error) {
	words := strings.Fields(plan)
	if len(words) != len(values)+1 {
		return nil, nil, fmt.Errorf("plan %q with %d values", plan, len(values))
	}
	mask, err := strconv.ParseUint(words[0], 16, 64)
	if err != nil {
		return nil, nil, err
	}
	used = make([]bool, len(t.relation.columns()))
	for i := range used {
		used[i] = mask>>min(i, 63)&1 != 0 // the last bit is for all columns from the 64th
	}
	for i, word := range words[1:] {
		column, err := strconv.Atoi(word[1:])
		if err != nil {
			return nil, nil, err
		}
		list = append(list, condition{column, comparison(word[0]), values[i]})
	}
	return used, list, nil
}
