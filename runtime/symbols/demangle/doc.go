// Package demangle writes the names of C++ and Rust functions as uftrace does (uftrace.md 2.8).
//
// The simple form has neither template arguments nor parameters nor a return type:
// _ZN5outer5innerIiLi3EE3getEv is outer::inner::get. Argument specs match this form, whatever form
// is shown.
package demangle
