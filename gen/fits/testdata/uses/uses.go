// Package uses reads fields of events, some of which testdata/kernel does not have.
package uses

import (
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/record"
)

func onSwitch(r *record.Record, e *decoders.SchedSwitch) error {
	println(e.PrevPID)                 // want `field prev_pid of sched:sched_switch, in testdata/kernel: relocated: at 28, 4 bytes, compiled at 24, 4 bytes`
	println(e.CommonPID, e.PrevPrio+1) // want `field prev_prio of sched:sched_switch, .* missing in the recording`
	println(e.PrevComm.String())
	return nil
}

func onInterrupt(r *record.Record, e *decoders.IRQHandlerEntry) error {
	println(string(e.Name())) // want `field name of irq:irq_handler_entry, .*: incompatible with the recording`
	return nil
}

func onEnter(r *record.Record, e *decoders.SysEnter) error { // want `event "raw_syscalls:sys_enter": missing in the recording`
	println(e.Args[0])
	return nil
}
