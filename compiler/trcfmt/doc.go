// Package trcfmt compiles AIX trace templates to the IR. Programs that read recordings need not
// call it: they name files of templates to WithTemplates of package tracec, or to tracec gen.
//
// [Compile] takes the files of grammar/trcfmt. Each template is compiled four
// times: for 32- and 64-bit hooks, generic or not, because word size and the
// position of the data are constants then. Where the position stays constant,
// reads have fixed offsets and the length is checked once. [Vet] reports
// mistakes that need the meaning of a template.
//
// # Records and texts
//
// The record of a program is the event after the rewriting of aix.md 2.4, from the hook word on,
// without thread id and time stamp, big-endian. It is one opaque field, "data".
//
// The text starts with the label of the event, unless that begins with @. It holds the tabs and
// newlines of the template. The report expands them, and trims blanks at the end of lines.
//
// # Values
//
// Beside its text an event has values (ir.Event.Values, Decode): the data that a template
// consumes, for structs. The name of a value is
//   - the macro that it is assigned to: {{ $status = X2 }} is "status", and {{ $len = X2 * 4 }}
//     the result, "len". A macro that is assigned several times on one path has the last value;
//   - else its label: the text between the previous value, or the beginning of the line, and the
//     value. Of that text, the last four words count, and of those the part after the last of
//     = , ; ( [ { | <. The label of the event does not count. A switch with one case and without
//     a label is named by the output of the case: B0.1, 1 B_FLAG0;
//   - else the code that reads it and its byte in the event: "X4 at 8". Where that byte is not the
//     same in all events, the name is "X4 after name", with the name of the last value before it
//     that has one by the rules above.
//
// Data words and hook data that a macro names ($D1, $HD) are also values, at their label. Without a
// label each is kept once and named as its macro: signed if it is only printed by one cast to D,
// else whole. A macro that is printed under a label and has a name of its own ends the label. HB,
// HT, $HL and the facts around the event are not values. Strings are text up to the first NUL, X of
// more than 8 bytes is bytes, everything else is a number as wide as it was read; the W forms are 8
// bytes. Names in the second call of a subroutine or function end in 2, and so on.
//
// None of this depends on the rest of the template, so that edits there change no name. Data words
// are the exception: each is there once. If every event has one at a label, it is not also kept
// under its own name. If it is kept under its own name, labels that name all of it are other names
// of that value.
// Values of one name in arms that exclude each other are one value. If an event can have both, or
// if no type fits both, that is a mistake (Template.Clashes). The advice is to give one a label or
// a macro of its own. Until then readers of values by name get them as "fd", "fd 2" and so on, and
// gen skips such a template.
//
// A value is optional if some events lack it: in an arm, or after an arm that ends the template. In
// a loop it is repeated.
//
// # Rules
//
// Rules that publications leave open, and that a user may want otherwise, are fields of Options.
// The rules below are fixed. The numbers are sections of docs/spec/aix.md:
//
//   - The blank between a label and its text (4.17) is due until something is printed. Text that
//     begins with a blank, a tab or a newline does not get it. For strings of the event, this is
//     decided when they are printed. A call of a built-in function gets the blank even if the
//     function then prints nothing. flih(), resume() and starttimer() never get it.
//   - setdelim() (3.5) ends the blanks after values for the rest of the event.
//   - Every code but B rounds the pointer up (3.3, 4.8), even HB, HT and A0.n, which do not move
//     it further. R stops at the beginning of the event. A0.n reads nothing.
//   - Data words that an event lacks ($D1 to $L5) are 0. Codes that read after its end stop the
//     template (4.12). A LOOP with more than the allowed turns also stops it.
//   - HB and HT print like uncast macros. In expressions, X of more than 8 bytes is its last 8
//     bytes, and B of more than 64 bits its first 64 bits. A cast to A is a cast to X2, as are
//     casts to other letters without a meaning (3.4). A cast without a size is a cast to the word
//     of the hook, but X, U and o take all 64 bits.
//   - Expressions (4.5) count in 64 bits without a sign. A text in them is 0.
//   - Match values (4.4) of D fields may be negative, or the bits of the field. For X fields of
//     more than 8 bytes they are filled up with zeros, for F fields they are numbers. A mask
//     without 0x is decimal if it can be.
//   - A counted string with a count above a megabyte has a megabyte: no event is that long.
//   - $LINENO and $RELLINENO count the newlines that the template prints, not newlines in strings
//     of the event. $RELLINENO prints in decimal, like the counts of 4.6.
//   - $ERROR is a descriptor: one in a switch or a loop ends the template after the outermost
//     switch or loop in its own template (3.1, 3.4; Options.ErrorAtOnce).
//   - Macros of a subroutine without a partner in the caller begin as 0 with every call. Macros
//     that a function assigns belong to the template that calls it. Its parameters are its own,
//     and functions that it calls do not see them. Of functions of one name the last in the files
//     counts, everywhere.
//   - Templates and functions that call themselves are refused: the call prints nothing. The
//     eleventh level of calls is also refused (3.5).
//   - A template that is too large with all calls in place (maxNodes, maxText), or makes the file
//     too large, is not compiled. Loops within loops share a budget (loopCost) of about a million
//     turns.
package trcfmt
