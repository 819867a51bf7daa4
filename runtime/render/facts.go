package render

import "strconv"

// Facts returns facts about the recording of the record.
type Facts interface {
	// Fact returns a number, or 0 if it is unknown.
	Fact(id Fact) uint64
	// FactText appends a text, or nothing if it is unknown.
	FactText(dst []byte, id Fact) []byte
}

// A Fact is a fact from the recording that is not in the record, for macros of AIX templates.
type Fact uint8

// The facts. T marks facts that also have a text. t marks facts that have only a text.
const (
	FactNone         Fact = iota
	FactPID               // $PID: running process
	FactTID               // $TID: running thread
	FactCPUID             // $CPUID
	FactPriority          // $PRI of the running thread
	FactSVC               // $SVC, T: running system call; the number is its address
	FactExecPath          // $EXECPATH, t: of the running process
	FactTotalCPUs         // $TOTALCPUS
	FactTracedCPUs        // $TRACEDCPUS
	FactReportedCPUs      // $REPORTEDCPUS
	FactLargeData         // $LARGEDATATYPES: 1 or 0
	FactBuffering         // $BUFF, T: kind of trace buffer
	FactIPAddress         // $IPADDR, T: of the machine
	FactLogIndex          // of $LOGIDX: byte offset of the event in its log file; the macro adds the data pointer
	FactLogIndex0         // $LOGIDX0: offset of the event in the file that was read, in bytes
	FactLogFile           // $LOGFILE, t: name of the file with the event
	FactTraceID           // $TRACEID: hook id as in reports: 0x500 for the three digits 500, 0xF5F1 for F5F1
	FactTraceEnv          // $TRACEENV: 32 or 64, word size of the traced system
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

// An Outcome describes the end of a rendering. The reader resets it before the next rendering,
// because rendering only sets it.
type Outcome struct {
	Reason ExitReason
	At     int64 // offset in the record to which the reason applies, in bytes
}

// ExitReason is the reason why a rendering ended early.
type ExitReason uint8

// The reasons.
const (
	Ended     ExitReason = iota // it was complete: the whole description was followed
	ExitBreak                   // the event is complete
	ExitSkip                    // nothing of the event must be printed, including text appended so far
	ExitStop                    // the report ends after this event
	ExitError                   // the event is wrong by its description
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

// Exit notes the reason why a rendering ends. e may be nil.
func (e *Env) Exit(reason ExitReason, at int64) {
	if e != nil && e.Outcome != nil {
		*e.Outcome = Outcome{reason, at}
	}
}
