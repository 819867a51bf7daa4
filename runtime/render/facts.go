package render

import "strconv"

// Facts returns facts about the recording of the record.
type Facts interface {
	// Fact returns a number, or 0 if it is unknown.
	Fact(id Fact) uint64
	// FactText appends a text, or nothing if it is unknown.
	FactText(dst []byte, id Fact) []byte
}

// A Fact is something that the recording knows and the record does not, for the macros of AIX
// templates that need it.
type Fact uint8

// The facts. T marks facts that also have a text. t marks facts that have only a text.
const (
	FactNone         Fact = iota
	FactPID               // $PID: process that runs
	FactTID               // $TID: thread that runs
	FactCPUID             // $CPUID
	FactPriority          // $PRI of the thread that runs
	FactSVC               // $SVC, T: system call that runs; the number is its address
	FactExecPath          // $EXECPATH, t: of the process that runs
	FactTotalCPUs         // $TOTALCPUS
	FactTracedCPUs        // $TRACEDCPUS
	FactReportedCPUs      // $REPORTEDCPUS
	FactLargeData         // $LARGEDATATYPES: 1 or 0
	FactBuffering         // $BUFF, T: kind of trace buffer
	FactIPAddress         // $IPADDR, T: of the machine
	FactLogIndex          // of $LOGIDX: byte offset of the event in its log file; the macro adds the data pointer
	FactLogIndex0         // $LOGIDX0: offset of the event in the file that was read, in bytes
	FactLogFile           // $LOGFILE, t: name of the file that the event is in
	FactTraceID           // $TRACEID: hook id as in reports: 0x500 for the three digits 500, 0xF5F1 for F5F1
	FactTraceEnv          // $TRACEENV: 32 or 64, word size of the system that traced
	FactLine              // $LINENO: line of the page on which the event's text begins, from 1
	FactRelativeLine      // $RELLINENO: line of the event's own output on which its text begins, from 1
)

var factNames = [...]string{
	"none", "pid", "tid", "cpuid", "priority", "svc", "execpath", "totalcpus", "tracedcpus", "reportedcpus",
	"largedata",
	"buffering", "ipaddress", "logindex", "logindex0", "logfile", "traceid", "traceenv", "line", "relativeline",
}

// String returns the name of the fact.
func (id Fact) String() string {
	if int(id) < len(factNames) {
		return factNames[id]
	}
	return "fact(" + strconv.Itoa(int(id)) + ")"
}

// Fact returns a number of the recording, or 0 if it is unknown. e may be nil.
func (e *Env) Fact(id Fact) uint64 {
	if e == nil || e.Facts == nil {
		return 0
	}
	return e.Facts.Fact(id)
}

// FactText appends a text of the recording, or nothing if it is unknown. e may be nil.
func (e *Env) FactText(dst []byte, id Fact) []byte {
	if e == nil || e.Facts == nil {
		return dst
	}
	return e.Facts.FactText(dst, id)
}

// An Outcome is how a rendering ended. The reader resets it before the next rendering, because
// rendering only sets it.
type Outcome struct {
	Reason ExitReason
	At     int64 // offset in the record to which the reason applies, in bytes
}

// ExitReason is why a rendering ended before its end.
type ExitReason uint8

// The reasons.
const (
	Ended     ExitReason = iota // it was complete: all of the description was followed
	ExitBreak                   // the event is complete
	ExitSkip                    // nothing of the event must be printed, including text appended so far
	ExitStop                    // the report ends after this event
	ExitError                   // the description declares the event wrong
	ExitShort                   // the record ends before a field that the description reads
)

var exitNames = [...]string{"ended", "break", "skip", "stop", "error", "short"}

// String returns the name of the reason.
func (r ExitReason) String() string {
	if int(r) < len(exitNames) {
		return exitNames[r]
	}
	return "exit(" + strconv.Itoa(int(r)) + ")"
}

// Exit notes why a rendering ends. e may be nil.
func (e *Env) Exit(reason ExitReason, at int64) {
	if e != nil && e.Outcome != nil {
		*e.Outcome = Outcome{reason, at}
	}
}
