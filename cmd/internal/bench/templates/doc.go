// Package templates is generated from templates of our own for hooks as a busy AIX system records
// them, for the benchmark.
package templates

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -pkg templates -o templates.go busy.trcfmt
