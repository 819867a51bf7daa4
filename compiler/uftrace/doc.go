// Package uftrace lowers the values that uftrace recorded of one function, its arguments or its
// results, to an event of package ir: one program that prints them, in the way of replay, dump or
// the JSON of Chrome, and one that yields them.
//
// # Layout
//
// A payload holds the values one after another, each on a multiple of 4 bytes (uftrace.md 1.6). Up
// to the first string all places are constants; after it a local counts. An event has one field,
// "data", which is the whole payload, and one check of its length for each stretch of values that
// ends with a string. A payload that is too short ends the program for the reason Short, in front
// of the first value that is not wholly checked.
//
// Numbers are in the byte order of the recording, which ir.Target says.
package uftrace
