package trcfmt

import "slices"

// Timers are the names of the two timer calls (aix.md 3.5), in order.
var Timers = []string{"endtimer", "starttimer"}

// Builtins are the names of the functions that trcrpt provides (aix.md 3.5, recalled from the Files
// Reference), in order. If a name is neither here nor defined in the file, it is text.
var Builtins = []string{
	"buftofilename",
	"fdtofilename",
	"flih",
	"lookupninode",
	"lookuppninode",
	"resume",
	"setdelim",
	"sidtofilename",
	"slihlookup",
	"vnodetofilename",
	"vpagetofilename",
}

// SpecialMacros are the names, without $, of the macros with a predefined meaning (aix.md 3.4), in
// order. They never have the form of a subroutine.
var SpecialMacros = []string{
	"BASEPOINTER",
	"BREAK",
	"BUFF",
	"CPUID",
	"D1",
	"D2",
	"D3",
	"D4",
	"D5",
	"DATAPOINTER",
	"DEFAULT",
	"ERROR",
	"EXECPATH",
	"GENERIC",
	"HD",
	"HL",
	"HOOKENV",
	"IPADDR",
	"L1",
	"L2",
	"L3",
	"L4",
	"L5",
	"LARGEDATATYPES",
	"LINENO",
	"LOGFILE",
	"LOGIDX",
	"LOGIDX0",
	"NOPRINT",
	"PID",
	"PRI",
	"RELLINENO",
	"REPORTEDCPUS",
	"SKIP",
	"STOP",
	"SVC",
	"TID",
	"TOTALCPUS",
	"TRACEDCPUS",
	"TRACEENV",
	"TRACEID",
	"WORDSIZE",
}

// IsTimer reports whether name is starttimer or endtimer.
func IsTimer(name string) bool { return name == "starttimer" || name == "endtimer" }

// IsBuiltin reports whether trcrpt provides a function of this name. It is false for timers.
func IsBuiltin(name string) bool {
	_, ok := slices.BinarySearch(Builtins, name)
	return ok
}

// IsSpecialMacro reports whether the macro $name has a predefined meaning.
func IsSpecialMacro(name string) bool {
	_, ok := slices.BinarySearch(SpecialMacros, name)
	return ok
}
