package main

import (
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/report/uftrace"
)

// systems are the kinds of recordings that tracec knows, AIX last: streams of 32-bit AIX have no magic number.
var systems = []report.System{
	tracecmd.System(),
	uftrace.System(),
	textdump.System(),
	trcrpt.System(),
}
