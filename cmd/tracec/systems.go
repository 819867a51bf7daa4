package main

import (
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/cmd/internal/report/tracecmd"
)

// systems are the kinds of recordings that tracec knows. AIX, uftrace and LTTng will join here.
var systems = []report.System{
	tracecmd.System(),
}
