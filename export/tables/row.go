package tables

import (
	"strconv"
	"sync"
)

// A Reason is the reason why the begin or the end of a row is missing.
type Reason uint8

// The reasons.
const (
	Known       Reason = iota // it is not missing
	OpenBegin                 // it began before the recording, or before the window of time
	OpenEnd                   // it had not ended when the recording, or the window, ended
	Lost                      // events were lost where it began or ended
	Unpaired                  // there is none: the call never returns
	Replaced                  // another row began instead
	NotRecorded               // events of that kind were not recorded, or not of all threads
	CloneChild                // a call of a new thread, which its parent began
	Evicted                   // the oldest of too many open rows
	reasons
)

var reasonNames = [reasons]string{"", "open_begin", "open_end", "lost", "unpaired", "replaced", "not_recorded",
	"clone_child", "evicted"}

// String returns the text for the column reason, "" for Known.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return "reason(" + strconv.Itoa(int(r)) + ")"
}

// A Row holds the common fields of the rows of all tables.
type Row struct {
	Begin, End uint64 // valid if NoBegin and NoEnd are Known
	NoBegin    Reason
	NoEnd      Reason
	CPU        int32   // -1 if unknown
	Thread     *Thread // nil if unknown
}

// Dur returns End - Begin. It returns false if one of them is unknown.
func (r *Row) Dur() (uint64, bool) {
	if r.NoBegin != Known || r.NoEnd != Known {
		return 0, false
	}
	return r.End - min(r.Begin, r.End), true
}

// reason returns the text of the column reason.
func (r *Row) reason() string {
	switch {
	case r.NoBegin == Known || r.NoBegin == r.NoEnd:
		return r.NoEnd.String()
	case r.NoEnd == Known:
		return r.NoBegin.String()
	}
	return bothReasons()[r.NoBegin][r.NoEnd]
}

// bothReasons holds the texts for rows without a begin and without an end.
var bothReasons = sync.OnceValue(func() *[reasons][reasons]string {
	var both [reasons][reasons]string
	for i := range both {
		for k := range both[i] {
			both[i][k] = reasonNames[i] + "," + reasonNames[k]
		}
	}
	return &both
})
