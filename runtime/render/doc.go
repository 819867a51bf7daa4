// Package render appends text: printf conversions, the %p extensions of the Linux kernel and the
// functions that print formats call. Generated decoders and the closures of compiler/interp call
// the same functions, so both print the same bytes.
//
// Every function appends to dst and returns the extended slice, as append does. Bytes before dst's
// length are never changed. No function keeps an argument. No function panics: a length that lies
// outside its region is cut to the region. A width or a precision of digits is cut to MaxWidth, a
// text to MaxText. If a region is too short for an address or identifier, the missing bytes are
// zeros.
//
// The reference for every format is the kernel (lib/vsprintf.c, lib/hexdump.c,
// kernel/trace/trace_output.c), not glibc: "%#x" of 0 is "0x0", '0' still pads if there is a
// precision, and "%.0d" of 0 is "0". Some of the kernel's output cannot be in a recording, such as
// a hashed %p or the symbol size in %pS. The function's comment then describes its own output.
package render
