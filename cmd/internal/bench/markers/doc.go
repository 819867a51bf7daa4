// Package markers decodes the most frequent events of an LTTng 2.3 trace of a 32-bit machine. The
// test writes bench.trace, which describes them.
package markers

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -text -pkg markers -o markers.go bench.trace
