//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"database/sql/driver"
	"fmt"
	"strconv"

	"modernc.org/sqlite"
)

// register registers the functions of this package.
func register(d *sqlite.Driver) error {
	for name, q := range quantiles {
		err := d.RegisterFunction(name, &sqlite.FunctionImpl{
			NArgs: 1, Deterministic: true, VolatileArgs: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &quantileStep{name: name, q: q}, nil
			},
		})
		if err != nil {
			return err
		}
	}
	return d.RegisterDeterministicScalarFunction("unsigned", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if v, ok := args[0].(int64); ok {
				return strconv.FormatUint(uint64(v), 10), nil
			}
			return args[0], nil
		})
}

// quantileStep is an aggregate function.
type quantileStep struct {
	name string
	q    float64
	quantile
}

// Step implements sqlite.AggregateFunction.
func (s *quantileStep) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	if !s.add(args[0]) {
		return fmt.Errorf("%s(%T): only of numbers", s.name, args[0])
	}
	return nil
}

// WindowInverse implements sqlite.AggregateFunction.
func (s *quantileStep) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return fmt.Errorf("%s cannot be a window function with a moving frame", s.name)
}

// WindowValue implements sqlite.AggregateFunction.
func (s *quantileStep) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	return s.value(s.q), nil
}

// Final implements sqlite.AggregateFunction.
func (s *quantileStep) Final(*sqlite.FunctionContext) {}
