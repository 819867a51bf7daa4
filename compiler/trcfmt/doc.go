// Package trcfmt compiles AIX trace templates to the IR.
//
// [Compile] takes the files of grammar/trcfmt. Each template is compiled four
// times: for 32- and 64-bit hooks, generic or not, because word size and the
// position of the data are constants then. Where the position stays constant,
// reads have fixed offsets and the length is checked once. [Vet] reports
// mistakes that need the meaning of a template.
//
// # Records and texts
//
// The record that a program sees is the event after the rewriting of aix.md 2.4, from the hook
// word on, without thread id and time stamp, big-endian. It is one opaque field, "data".
//
// The text starts with the label of the event, unless that begins with @. It holds tabs and
// newlines as the template says: the report decides where they lead, and trims blanks at the end of
// lines.
//
// # Values
//
// Beside its text an event has values (ir.Event.Values, Decode): what a template consumes, for
// structs. A value is named
//   - by the macro that it is assigned to: {{ $status = X2 }} is "status", and {{ $len = X2 * 4 }} the result, "len". A macro
//     that is assigned to more than once on one way has the last value;
//   - else by its label, the text between the value before it, or the beginning of the line, and
//     it: of that the last four words, and of those what follows the last of = , ; ( [ { | <. The label of the event
//     does not count. A switch with one case and without label is named by what the case prints: B0.1, 1 B_FLAG0;
//   - else by what reads it and the byte of the event where it is: "X4 at 8". Where that byte is not the same in
//     all events it is "X4 after name", with the name of the last value before it that has one by the rules above.
//
// Data words and hook data that a macro names ($D1, $HD) are values too, at their label; without
// one each is kept once, whole, and named as its macro. HB, HT, $HL and the facts around the event
// are none. Strings are text up to the first NUL, X of more than 8 bytes is bytes, everything else
// a number as wide as it was read; the W forms are 8 bytes. Names in the second call of a
// subroutine or function end in 2, and so on.
//
// None of this depends on the rest of the template, so that edits there change no name, but for a
// data word: if every event has it at a label, it is not kept under its own name as well. Values of
// one name in arms that exclude each other are one value. If an event can have both, or no type
// fits both, that is a mistake (Template.Clashes), and the advice is to give one a label or a macro
// of its own. Until then they are kept apart as "fd", "fd 2" and so on, for those who read values
// by names; gen leaves such a template out.
//
// A value is optional when an event need not have it: in an arm, or after one that ends the
// template. In a loop it is repeated.
//
// # Rules
//
// Every rule that no publication settles and that a user may want otherwise is a field of Options.
// These are fixed; the numbers are sections of docs/spec/aix.md:
//
//   - The blank between a label and its text (4.17) is due until something is printed. Text that begins with a
//     blank, a tab or a newline does not get it; strings of the event are looked at when they are printed. A call of a
//     built-in function gets it before it is known whether the function prints anything; flih(), resume() and
//     starttimer() never do.
//   - setdelim() (3.5) ends the blanks after values for the rest of the event.
//   - Every code but B rounds the pointer up (3.3, 4.8), also HB, HT and A0.n, which move it no further. R stops at the
//     beginning of the event. A0.n reads nothing.
//   - Data words that an event does not have ($D1 to $L5) are 0; codes that read after its end stop the
//     template (4.12). So does a LOOP that turns more often than is allowed.
//   - HB and HT print like uncast macros. X of more than 8 bytes is in expressions its last 8, B of more than 64 bits its
//     first 64. A cast to A is one to X2, as other letters without a meaning are (3.4); a cast without a size is one to the
//     word of the hook, but for X, U and o, which take all 64 bits.
//   - Expressions (4.5) count in 64 bits without a sign; a text in them is 0.
//   - Match values (4.4) of D fields may be negative, or the bits of the field. Those of X fields of more than 8
//     bytes are filled up with zeros, those of F fields are numbers. A mask without 0x is decimal if it can be.
//   - A counted string that counts more than a megabyte counts a megabyte: no event has that.
//   - $LINENO and $RELLINENO count the newlines that the template prints, not those in strings of the event.
//     $RELLINENO prints in decimal, like the counts of 4.6.
//   - $ERROR is a descriptor: one in a switch or a loop ends the template after the outermost of these in its own
//     template (3.1, 3.4; Options.ErrorAtOnce).
//   - Macros of a subroutine that have no partner in the caller begin as 0 with every call. Macros that a function
//     assigns are those of the template that calls it; its parameters are its own, and are not seen by functions that it
//     calls. Of functions of one name the last in the files counts, everywhere.
//   - Templates and functions that call themselves are refused: the call prints nothing. So is the eleventh level of
//     calls (3.5).
//   - What grows beyond measure with all calls in place (maxNodes, maxText), or with it the file, is not compiled.
//     Loops within loops share a budget (loopCost) of about a million turns.
package trcfmt
