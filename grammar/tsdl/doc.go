// Package tsdl parses the Trace Stream Description Language, the metadata of the Common Trace
// Format 1.8 (docs/spec/ctf.md 2).
//
// Parse never loses a whole file. The text is cut into declarations at the semicolons outside of
// braces. A broken declaration, such as an event, is omitted and reported with its position.
// Recorders append declarations while they trace, so a last declaration without an end has its own
// code: CodeCut.
//
// A type name in TSDL is a list of words, as in C, and a new name may hide it in an inner scope.
// The grammar therefore does not distinguish type names from field names. The words of a
// declaration stay a list, and runtime/ctf/metadata gives them meaning.
package tsdl

// Limits. Input beyond them is rejected with CodeLimit. The largest metadata of a kernel has 1,100
// events in 600 KB, with 6 levels.
const (
	MaxBytes   = 64 << 20 // of a text
	MaxNesting = 100      // braces, brackets and parentheses that are open at the same time
	MaxTokens  = 1 << 20  // of a declaration
	MaxErrors  = 50       // errors kept for one text
)

// The codes. They are stable: tools may select by them.
const (
	CodeSyntax = "tsdl-syntax" // text that is not a declaration
	CodeCut    = "tsdl-cut"    // a declaration without an end
	CodeLimit  = "tsdl-limit"  // the text is too long or nested too deeply
)
