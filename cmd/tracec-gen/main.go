// Command tracec-gen generates Go decoders of trace events, checks descriptions of events and
// formats files of AIX templates, as tracec gen, vet and fmt do. It is for go generate, which
// builds it quickly from few modules:
//
//	go get -tool github.com/tracec/tracec/cmd/tracec-gen
//	//go:generate go tool tracec-gen gen -pkg sched -events 'sched:*' -o sched_gen.go trace.dat
package main

import "github.com/tracec/tracec/internal/command"

func main() { command.MainGen() }
