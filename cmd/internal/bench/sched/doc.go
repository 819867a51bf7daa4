// Package sched decodes events of the scheduler from recordings of perf.
package sched

//go:generate go run github.com/tracec/tracec/cmd/tracec gen -e sched_switch,sched_stat_runtime,sched_w*,sched_p*_exec,sched_process_fork,sched_process_exit,sched_process_wait -pkg sched -o sched.go ../../../../testdata/perf/sched.data
