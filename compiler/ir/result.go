package ir

import "github.com/tracec/tracec/runtime/syscalls"

// NameResult gives names to the errors in the field ret of an event at the end of a system call.
func NameResult(ev *Event) {
	if p, begins, _ := syscalls.PairOf(ev.Group, ev.Name); p == nil || begins {
		return
	}
	for _, f := range ev.Fields {
		t := f.Type()
		if f.Name == "ret" && f.Enum == nil && f.Kind == Int && t.Signed && (t.Size == 4 || t.Size == 8) {
			f.Enum = resultOf(t.Size)
		}
	}
}

// resultOf describes results of system calls. An error is below 0. Its names do not depend on the
// recording.
func resultOf(size int8) *Enum {
	e := &Enum{Name: "errno", Func: "ErrnoName", Table: &Table{},
		Type: "github.com/tracec/tracec/runtime/ftrace/errno.Result"}
	if size == 4 {
		e.Type += "32"
	}
	return e
}
