package main

import (
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/cmd/internal/report/textdump"
	"github.com/tracec/tracec/cmd/internal/report/tracecmd"
	"github.com/tracec/tracec/cmd/internal/report/trcrpt"
	"github.com/tracec/tracec/cmd/internal/report/uftrace"
)

// systems are the kinds of recordings that tracec knows, AIX last: streams of 32-bit AIX have no magic number.
var systems = []report.System{
	tracecmd.System(),
	uftrace.System(),
	textdump.System(),
	trcrpt.System(),
}
