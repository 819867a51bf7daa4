// Package calls decodes recordings of testdata/uftrace/src/bench.c. bench.data is a small one.
package calls

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -text -pkg calls -o calls.go bench.data
