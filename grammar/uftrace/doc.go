// Package uftrace parses the enumerations of a uftrace recording, in the form of the recorder and
// of the debug information: `enum kind {food,tool=5,book};enum …`.
//
// [ParseEnums] never fails as a whole: it returns all readable declarations and all errors of the
// text. Argument specs (arg1/i32,retval/s) determine the length of records. So runtime/uftrace
// parses those itself when it opens a recording.
package uftrace
