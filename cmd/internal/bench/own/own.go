// Package own has a user's struct for the benchmark, with 3 of the 7 fields of sched_switch.
package own

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -into . ../decoders/formats

// Switch is a switch of a processor from one thread to another.
//
//tracec:event sched:sched_switch
type Switch struct {
	PrevPID, NextPID int32
	PrevState        int64
}
