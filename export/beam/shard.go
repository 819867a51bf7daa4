package beam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/runtime/record"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&matchFn{})
	register.DoFn3x1[context.Context, string, func(Shard), error](&splitFn{})
	register.DoFn3x1[context.Context, Shard, func(Row), error](&readFn{})
	register.Emitter1[string]()
	register.Emitter1[Shard]()
	register.Emitter1[Row]()
}

// Options choose what is read, and how it is split. The zero value is all, a shard for each processor.
type Options struct {
	Events []string // globs as of dynamic.WithEvents
	Slices int      // pieces of time of each processor; 0 is 1
}

// Shard is a part of a recording: the events of one processor, or of all, in a window of time.
type Shard struct {
	Path string
	// CPU is the processor, -1 for all.
	CPU int32
	// Since and Until are times as Record.Time has them: [Since, Until). Until 0 has no end.
	Since, Until uint64
}

// records returns the choice of a shard.
func (s Shard) records(ctx context.Context) record.Options {
	o := record.Options{Since: s.Since, Until: s.Until, Context: ctx}
	if s.CPU >= 0 {
		o.CPUs = []int32{s.CPU}
	}
	return o
}

// Match returns the paths that a glob matches, of any file system that the program has linked in.
func Match(s sdk.Scope, glob string) sdk.PCollection {
	s = s.Scope("tracec.Match")
	return sdk.ParDo(s, &matchFn{}, sdk.Create(s, glob))
}

type matchFn struct{}

// ProcessElement emits the paths that a glob matches. That none does is an error.
func (*matchFn) ProcessElement(ctx context.Context, glob string, emit func(string)) error {
	fs, err := filesystem.New(ctx, glob)
	if err != nil {
		return err
	}
	defer fs.Close()
	paths, err := fs.List(ctx, glob)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("%s matches no recording", glob)
	}
	for _, p := range paths {
		emit(p)
	}
	return nil
}

// splitFn emits the shards of a recording.
type splitFn struct {
	Slices int
}

// ProcessElement emits the shards of the recording at a path. One that cannot be opened has none: its worker logs why.
func (f *splitFn) ProcessElement(ctx context.Context, path string, emit func(Shard)) error {
	list, err := f.shards(ctx, path)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		failed(ctx, path, err)
		return nil
	}
	for _, s := range list {
		emit(s)
	}
	return nil
}

// shards reads the recording once, for the processors and the times that its events have.
func (f *splitFn) shards(ctx context.Context, path string) (list []Shard, err error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := dynamic.NewReader(in.Recording, dynamic.WithRecords(record.Options{Context: ctx}))
	if err != nil {
		return nil, err
	}
	first, last, whole := uint64(math.MaxUint64), uint64(0), false
	seen := map[int32]bool{}
	var cpus []int32
	for ev := range r.All() {
		first, last = min(first, ev.Time), max(last, ev.Time)
		if ev.CPU < 0 {
			whole = true
		} else if !seen[ev.CPU] {
			seen[ev.CPU] = true
			cpus = append(cpus, ev.CPU)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if whole {
		cpus = []int32{-1}
	}
	n := uint64(max(f.Slices, 1))
	for _, cpu := range cpus {
		for i := range n {
			s := Shard{Path: path, CPU: cpu, Since: first + (last-first)/n*i, Until: first + (last-first)/n*(i+1)}
			if i == 0 {
				s.Since = 0
			}
			if i == n-1 {
				s.Until = 0
			}
			if s.Until == 0 || s.Until > s.Since {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// local reports whether a path is one of the local file system.
func local(path string) bool {
	return !strings.Contains(path, "://") || filepath.IsAbs(path)
}
