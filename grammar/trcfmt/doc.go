// Package trcfmt parses AIX trace templates: /etc/trcfmt, files for trcrpt -t, and the update files
// of trcupdate.
//
// [Parse] returns all errors of a file at once and never a nil file: a stanza with an error is
// marked Broken and hides no other. [Format] writes the canonical layout. Package compiler/trcfmt
// gives the tree its meaning.
//
// The lines of a file are the tokens of a participle grammar: comment, stanza, delete operator. The
// text of a stanza is one such token. The language does not have tokens that are valid everywhere:
// depending on its neighbours, X4 is a format code, a label or part of one. So a descent over the
// characters parses it.
//
// # Rules of this package
//
// "aix.md" is docs/spec/aix.md. Where IBM's documents leave a choice, these rules apply:
//
//   - A line that starts with # in column 1 is a comment. It may lie between the lines of a stanza
//     and does not end it. A # further right in a stanza is text. Lines that start with * are
//     comments in update files. Elsewhere they are comments as well, with a warning.
//   - A backslash ends a line even if blanks follow it (warning). A line `hhh V.R` in column 1
//     starts a stanza even if the line before continues (error): a forgotten backslash must not
//     hide a template.
//   - The event label is one string or one bare word.
//   - A format code is recognised by aix.md 4.2. Numbers in it have no leading zeros. Text that
//     only looks like a format code is text, with a warning.
//   - `$hhh`, three hexadecimal digits, is a subroutine if it is an element of a template or the
//     result of a case. The name must not be assigned or declared in the stanza, nor be a parameter
//     of its functions. As subject, operand, with a cast, and inside back quotes it is a macro.
//   - A cast takes the longest format code after the %, so `$n%D.` ends a sentence. An unknown
//     letter is X2, with a warning (aix.md 3.4: "others default to X2").
//   - In strings, each of \n, \t, \", \\ and \` is one character, and a backslash before a newline
//     is nothing. In back quotes, where the blanks of a template are output, it is one blank. Any
//     other backslash is text, with a warning.
//   - The result of a case is one element or `{ … }`. Format codes, \n, \t and subroutines are
//     accepted as the one element.
//   - Blanks matter only after bare words (aix.md 4.1 b). For any other node, Base.Blank is false
//     if a comma, a closing brace or the end of the stanza comes next, whatever lies between.
package trcfmt
