// Package all lists the systems that tracec knows.
package all

import (
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/report/uftrace"
)

// Systems returns the systems, AIX last: streams of 32-bit AIX have no magic number.
func Systems() []report.System {
	return []report.System{
		tracecmd.System(),
		uftrace.System(),
		textdump.System(),
		trcrpt.System(),
	}
}
