// Package all names the kinds of recordings that tracec knows, and opens a recording of any of them.
package all

import (
	"context"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/report/uftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Systems returns the kinds, AIX last: streams of 32-bit AIX have no magic number.
func Systems() []report.System {
	return []report.System{
		tracecmd.System(),
		uftrace.System(),
		textdump.System(),
		trcrpt.System(),
	}
}

// Open opens a recording of any kind, also a packed one: see [report.Open].
func Open(ctx context.Context, path string, with ...report.OpenOptions) (record.Recording, error) {
	return report.Open(ctx, path, Systems(), with...)
}

// Follow opens a recording of any kind that is still being written: see [report.Follow].
func Follow(ctx context.Context, path string, f record.Follow, with ...report.OpenOptions) (record.Recording, error) {
	return report.Follow(ctx, path, Systems(), f, with...)
}
