package summary

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/units"
	"github.com/tracec/tracec/runtime/uftrace"
)

// tally is what --task shows of a thread.
type tally struct {
	total uint64
	off   uint64 // of total, off the processor
	calls uint64
	end   uint64 // time of the last record that is no entry
}

func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	return nil
}

var _ = cmp.Compare[int]
var _ = slices.Sort[[]int]
var _ = strings.Split
var _ = strconv.Itoa
var _ = units.Width
