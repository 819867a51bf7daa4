package ftrace

import "github.com/tracec/tracec/runtime/internal/growing"

// growth is the source of a recording that is still being written.
type growth struct {
	feed    Feed           // of a recording kernel; else nil
	watch   *growing.Watch // of a directory that is followed; else nil
	threads liveNames      // of feed or watch
}
