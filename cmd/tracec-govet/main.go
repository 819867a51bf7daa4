// Command tracec-govet checks programs that use generated decoders. It runs under go vet:
//
//	go vet -vettool=$(which tracec-govet) ./...
//	go vet -vettool=$(which tracec-govet) -fits.against=/data/trace.dat,/sys/kernel/tracing/events ./...
//
// lifetime reports records and events that are kept beyond their step. fits reports the fields that
// a program reads and that recordings or kernels lack, or have at another place. Paths must be
// absolute, since the go command runs tools in the folder of each package. The go command caches
// the results for a package until the package or the options change. Use go vet -a if recordings
// have changed since.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/tracec/tracec/gen/fits"
	"github.com/tracec/tracec/gen/lifetime"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/sides"
)

func main() { unitchecker.Main(lifetime.Analyzer, fits.New(open)) }

// open returns the event types of a recording or a kernel.
func open(name string) (*fits.Against, error) {
	job := &report.Job{Job: sources.Job{
		Path:   name,
		Memory: 256 << 20,
		Warn:   func(err error) { fmt.Fprintln(os.Stderr, "tracec-govet: "+err.Error()) },
	}}
	side, err := sides.Open(context.Background(), job)
	if err != nil && (side == nil || !errors.Is(err, report.ErrDamaged)) {
		return nil, err
	}
	return &fits.Against{Name: name, Container: side.Unit.Container, Recorded: side.Recorded}, nil
}
