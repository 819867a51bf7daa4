// Package ftrace parses the `format` files in which a Linux kernel describes its trace events:
// name, id, fields with offset and size, and the `print fmt:` line, which is C.
//
// Parse never loses a whole file. A broken field line loses that field, a broken print fmt loses
// File.Print, and both are reported with their position. The syntax tree represents the text.
// compiler/ftrace gives it meaning.
//
// The lines of a file are the tokens of a participle grammar (lines.go, grammar.go). The C of the
// print fmt is one such token. A Parseable production lexes it into a reused array and parses it by
// operator precedence (scan.go, expr.go), because participle structs for each level take seven
// times as long.
//
// Trees hold substrings of the source and keep it alive.
package ftrace

// Limits. Input beyond them is rejected with CodeLimit. The files of kernels are far below these
// limits (the largest of 23,263 files: 34 KB, 50 lines, 13,389 tokens, 39 levels, 32 nodes high).
const (
	MaxFileBytes = 8 << 20 // bytes of one format file or one expression
	MaxLines     = 1 << 13 // lines of one file that are not blank
	MaxTokens    = 1 << 18 // C tokens of one print fmt
	MaxNesting   = 200     // parentheses, operands and blocks open at the same time
	MaxHeight    = 2000    // nodes from the root of an expression to its deepest leaf
	MaxErrors    = 50      // errors kept for one file
)
