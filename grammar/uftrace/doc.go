// Package uftrace parses the enumerations of a uftrace recording. They have the form that the
// recorder and the debug information use: `enum kind {food,tool=5,book};enum …`.
//
// [ParseEnums] never fails as a whole. It returns all readable declarations and all errors of the
// text. Argument specs (arg1/i32,retval/s) determine the length of records, so runtime/uftrace
// parses them itself when it opens a recording.
package uftrace
