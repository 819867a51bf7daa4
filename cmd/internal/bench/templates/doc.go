// Package templates is generated from our own templates, for hooks as recorded on a busy AIX
// system. The benchmark uses it.
package templates

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -pkg templates -o templates.go busy.trcfmt
