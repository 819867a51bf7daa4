// Package demangle writes the names of C++ and Rust functions as uftrace does (uftrace.md 2.8).
//
// The simple form has no template arguments, parameters or return type:
// _ZN5outer5innerIiLi3EE3getEv is outer::inner::get. Argument specs always match this form.
package demangle
