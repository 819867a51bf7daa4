package uftrace

// taskTable is the content of task.txt.
type taskTable struct {
	events []TaskEvent
	old    bool    // they are from the binary file task
	list   []*Task // with a file
	byTID  map[int32]*Task
}
