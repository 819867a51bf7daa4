// Package uftrace compiles the recorded arguments or results of one function to an event of package
// ir. The event has two programs: one reads the values, the other prints them as replay, dump or
// dump --chrome do.
//
// # Layout
//
// A payload holds the values one after another, each at a multiple of 4 bytes (uftrace.md 1.6).
// Offsets are constant up to the first string. After it, a local variable holds the offset.
//
// An event has one field, "data", with the whole payload. Its length is checked once for each run
// of values that ends with a string. A payload that is too short ends the program with the reason
// Short, before the first value that is not entirely in a checked run.
//
// Numbers are in the byte order of the recording, ir.Target.
package uftrace
