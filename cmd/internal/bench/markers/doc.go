// Package markers decodes the most frequent events of a 2.3 trace of LTTng on a 32-bit machine;
// bench.trace, which the test writes, describes them.
package markers

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -text -pkg markers -o markers.go bench.trace
