package uftrace

// taskTable holds the contents of task.txt.
type taskTable struct {
	events []TaskEvent
	old    bool    // from the binary file task
	list   []*Task // threads with a file
	byTID  map[int32]*Task
}
