// Package trcfmt parses AIX trace templates: /etc/trcfmt, files for trcrpt -t,
// and the update files of trcupdate.
//
// [Parse] returns all errors of a file at once and never a nil file: a stanza
// with an error is marked Broken and hides no other. [Format] writes the
// canonical layout. Package compiler/trcfmt gives the tree its meaning.
//
// The lines of a file make the tokens of a participle grammar: comment, stanza, delete operator.
// The text of a stanza is one such token. The language has no tokens that hold everywhere: X4 is a
// format code, a label or part of one by what is around it. So a descent over the characters parses
// it.
//
// # Rules of this package
//
// "aix.md" is docs/spec/aix.md. Where IBM's documents leave a choice, this is what is taken:
//
//   - A line that starts with # in column 1 is a comment, also between the lines of a stanza, which it does not end.
//     A # further right in a stanza is text. Lines that start with * are comments in update files; elsewhere too, with
//     a warning.
//   - A backslash ends a line also when blanks follow it (warning). A line `hhh V.R` in column 1 starts a stanza even
//     when the line before asks for more (error): a forgotten backslash must not hide a template.
//   - The event label is one string or one bare word.
//   - A format code is recognised by aix.md 4.2. Numbers in it have no leading zeros. What looks like one but is none
//     is text, with a warning.
//   - `$hhh`, three hexadecimal digits, is a subroutine when it is used as an element of a template or as the result
//     of a case, and neither an assignment or declaration of the stanza nor a parameter of its functions
//     has this name. As subject, operand, with a cast, and inside back quotes it is a macro.
//   - A cast takes the longest format code after the %, so `$n%D.` ends a sentence. An unknown letter is X2, with a
//     warning (aix.md 3.4: "others default to X2").
//   - In strings \n, \t, \", \\ and \` stand for one character, a backslash before a newline for nothing (in back quotes,
//     where the blanks of a template are output: for one blank); any other backslash is text, with a warning.
//   - The result of a case is one element or `{ … }`. Format codes, \n, \t and subroutines are accepted as
//     the one element.
//   - Blanks matter after bare words only (aix.md 4.1 b). Base.Blank of any other node is false where a
//     comma, a closing brace or the end of the stanza comes next, whatever lies between.
package trcfmt
