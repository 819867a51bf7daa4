// Package uftrace reads the languages within a recording of uftrace: the argument specs of functions, as the recorder
// saved them and as the options -A, -R and -T take them, and the enums of debug information.
//
// ParseSpecs reads a list of specs, ParseItems a list of patterns with specs, ParseTriggers one with actions too,
// ParseEnums declarations of enums. Each never fails as a whole: it returns what could be read, with all errors of
// the text. The syntax tree says what is written; compiler/uftrace gives it meaning. "uftrace.md" is
// docs/spec/uftrace.md; what uftrace accepts was tried with version 0.13.
//
// # Shape
//
// Commas and semicolons split a text everywhere, so a first grammar splits it into items and words (lists.go).
// The beginning of a word says what it is; a spec is then read by a grammar of its own (specs.go). An error of one word
// hides no other.
//
// runtime/uftrace reads the same lists when it opens a recording, where speed counts and messages are not read. A test
// holds the two to each other.
package uftrace
