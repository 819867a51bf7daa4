// Package decoders is generated from the formats of 30 common events of a Debian 6.1 kernel, for
// the benchmark.
package decoders

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -pkg decoders -o decoders.go formats
