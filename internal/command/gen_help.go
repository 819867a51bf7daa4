package command

const genHelp = `Generate a Go package that decodes events: one struct per event, laid over the record, and a Decoder with a
callback for each.

INPUT is a recording (trace.dat, a copy of tracefs, or -), a directory of format files (a tracefs events/
tree or any part of it), a format file, files of AIX templates, a recording of uftrace, or a trace of LTTng
from before CTF. Options may have one dash or two.

In a Go file:
  //go:generate go tool tracec-gen gen -o sched_gen.go -e sched:sched_switch,sched:sched_wakeup trace.dat

By hand:
  tracec gen -pkg irq -o irq_gen.go /sys/kernel/tracing/events/irq
  tracec gen -stem Irq -o irq_gen.go -events 'irq:*' trace.dat    IrqDecoder: beside other outputs in one package
  tracec gen -pkg kernel -split -o ./kernel trace.dat      one package per subsystem
  tracec gen -dump=ir -events sched_switch trace.dat       what the compiler made of it

  tracec gen -pkg hooks -o hooks_gen.go my.trcfmt          AIX templates: values and text of every hook

  tracec gen -pkg app -o app_gen.go uftrace.data           arguments and results of functions that uftrace recorded

  tracec gen -pkg markers -o markers_gen.go trace-dir      the markers that a trace of LTTng describes

A value that a template consumes is a field, named by its macro or its label; one in an arm of a switch comes with a
Has field, one in a loop is a slice. -events takes hook ids and labels. -v tells which templates have fixed offsets.

Functions with argument specs (uftrace record -A, -R, -a) get two callbacks, call and return, and a struct of what was
recorded at each. A decoder finds its functions by name, also in recordings of a program built anew. -events takes
functions and MODULE:FUNCTION.

Markers of LTTng get a callback and a struct of their fields. A decoder finds them by channel and name, also in traces
of other machines. -events takes globs of CHANNEL.MARKER and MARKER.

Structs of your own: -into PACKAGE writes a decoder into a package that is there. It fills the structs that say by a
directive which event they are for, and of these only the fields that they have:
  //go:generate go tool tracec-gen gen -into . trace.dat

  //tracec:event sched:sched_switch
  type Switch struct {
  	PrevPID, NextPID int32
  	Comm  string        ` + "`" + `tracec:"prev_comm"` + "`" + `
  	State uint8         ` + "`" + `tracec:"prev_state,narrow"` + "`" + `
  	Since time.Duration ` + "`" + `tracec:"@time"` + "`" + `
  }

Without a tag the name of the field decides; @cpu, @task, @time, @id, @lost and @stream are of the record (of LTTng
@task is -1 unless Records choose Tasks, or RunMerged reads MergeTasks of the recording). A directive names
GROUP:EVENT or EVENT, a hook or its label, MODULE:FUNCTION (with /exit for its return) or CHANNEL.MARKER. Options after the
name: narrow (the value may be cut), zero (0 where a record lacks the value), ok (a bool: the record has it), ns, us, ms and s
(the unit of a time.Duration, or of a type declared as it). What does not fit is an error at its place in the source, and nothing
is written. The file has the build constraints of those that declare what it fills. A number that another recording has in more
bytes is read as long as its field holds every one, or has the option narrow; otherwise Bind says which does not fit.

A generated file starts with "// Code generated", holds no dates or absolute paths, and is only written when
its content changes. Messages are FILE:LINE:COL: SEVERITY: TEXT [CODE]. An event that cannot be laid out is
left out and makes the exit code 1; one whose text cannot be rendered has its fields all the same.`
