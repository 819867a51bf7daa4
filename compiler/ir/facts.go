package ir

import "strconv"

// The facts: the macros of a template (aix.md 3.4) that cannot be computed from the record. T marks
// facts that also have a text (FactText). t marks facts that have only a text.
const (
	FactNone         FactID = iota
	FactPID                 // $PID: running process
	FactTID                 // $TID: running thread
	FactCPUID               // $CPUID
	FactPriority            // $PRI of the running thread
	FactSVC                 // $SVC, T: running system call; the number is its address
	FactExecPath            // $EXECPATH, t: of the running process
	FactTotalCPUs           // $TOTALCPUS
	FactTracedCPUs          // $TRACEDCPUS
	FactReportedCPUs        // $REPORTEDCPUS
	FactLargeData           // $LARGEDATATYPES: 1 or 0
	FactBuffering           // $BUFF, T: kind of trace buffer
	FactIPAddress           // $IPADDR, T: of the machine
	FactLogIndex            // of $LOGIDX: byte offset of the event in its log file; the macro adds the data pointer
	FactLogIndex0           // $LOGIDX0: offset of the event in the file that was read, in bytes
	FactLogFile             // $LOGFILE, t: name of the file with the event
	FactTraceID             // $TRACEID: hook id as in reports: 0x500 for the three digits 500, 0xF5F1 for F5F1
	FactTraceEnv            // $TRACEENV: 32 or 64, word size of the system that traced
	FactLine                // $LINENO: line of the page on which the event's text begins, from 1
	FactRelativeLine        // $RELLINENO: line of the event's own output on which its text begins, from 1
	factCount               // not a fact
)

// Facts is the upper bound of the facts. They lie between FactNone and Facts.
const Facts = int(factCount)

var factNames = [...]string{
	"none", "pid", "tid", "cpuid", "priority", "svc", "execpath", "totalcpus", "tracedcpus", "reportedcpus",
	"largedata",
	"buffering", "ipaddress", "logindex", "logindex0", "logfile", "traceid", "traceenv", "line", "relativeline",
}

// String returns the name in the form of Dump.
func (id FactID) String() string {
	if int(id) < len(factNames) {
		return factNames[id]
	}
	return "fact(" + strconv.Itoa(int(id)) + ")"
}
