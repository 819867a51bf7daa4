package main

import (
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/cmd/internal/report/tracecmd"
	"github.com/tracec/tracec/cmd/internal/report/trcrpt"
)

// systems are the kinds of recordings that tracec knows, AIX last: streams of 32-bit AIX have no magic number. uftrace
// and LTTng will join here.
var systems = []report.System{
	tracecmd.System(),
	trcrpt.System(),
}
