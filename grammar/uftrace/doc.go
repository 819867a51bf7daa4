// Package uftrace reads the enumerations of a recording of uftrace, as the recorder saved them and
// as its debug information has them: `enum kind {food,tool=5,book};enum …`.
//
// [ParseEnums] never fails as a whole: it returns what could be read, with all errors of the text.
// Argument specs, arg1/i32,retval/s, say how long a record is. So runtime/uftrace reads those
// itself, when it opens a recording.
package uftrace
