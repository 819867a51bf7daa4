// Package decoders has the decoders that a test of gen generated, for the drivers that compare
// them: the test writes a program that fills it.
package decoders

// New makes pointers to generated Decoders, by the names of their packages.
var New map[string]func() any
