package about

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Life holds the facts about a thread from the task file and from perf files.
type Life struct {
	Comm  string // the last name
	Start uint64 // in ns, from the task file or the first event
}

// Lives reads the task file and the perf files, which also hold names and start times of threads.
// tids limits the threads to update from perf files. If empty, all are.
func Lives(ctx context.Context, rec *uftrace.Recording, tids []int32) (map[int32]Life, error) {
	lives := map[int32]Life{}
	for _, tid := range rec.Info().TIDs {
		if t := rec.Task(tid); t != nil {
			lives[tid] = Life{t.Comm, t.Start}
		}
	}
	for _, t := range rec.Tasks() {
		lives[t.TID] = Life{t.Comm, t.Start}
	}
	for _, s := range rec.PerfStreams() {
		for {
			batch, err := s.Next()
			for i := range batch.Records {
				r := &batch.Records[i]
				l, ok := lives[r.Task]
				if !ok || len(tids) > 0 && !slices.Contains(tids, r.Task) {
					continue
				}
				if r.ID == callstack.TaskName {
					l.Comm = string(r.Data)
				}
				l.Start = min(l.Start, r.Time)
				lives[r.Task] = l
			}
			if err == nil {
				err = ctx.Err()
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return lives, nil
}

// tasks returns the list of threads. F marks a thread that leads a process, S a thread with a
// program image of its own.
func tasks(ctx context.Context, rec *uftrace.Recording, opts *Options) ([]byte, error) {
	lives, err := Lives(ctx, rec, nil)
	if err != nil {
		return nil, err
	}
	// The column of the thread is two characters wider since v0.17.
	width, pad := 6, ""
	if opts.Style != values.V013 {
		width, pad = 7, " "
	}
	owns := map[int32]bool{}
	for _, s := range rec.Sessions() {
		owns[s.PID] = true
	}
	out := fmt.Appendf(nil, "#         TIMESTAMP       FLAGS     TID  %s  TASK              DATA SIZE\n", pad)
	threads := slices.Clone(rec.Threads())
	slices.SortFunc(threads, func(a, b *uftrace.Task) int { return cmp.Compare(a.TID, b.TID) })
	for _, t := range threads {
		l := lives[t.TID]
		if t.File == "" { // uftrace does not read events of a thread without a file
			l = Life{t.Comm, t.Start}
		}
		out = fmt.Appendf(out, "%14d.%09d  %c%c     [%*d]  %-16s ", l.Start/1e9, l.Start%1e9,
			flag('F', t.TID == t.PID), flag('S', owns[t.TID]), width, t.TID, l.Comm)
		// The size is in kilobytes. The fraction of a megabyte is thus at most 1023.
		if st, err := fs.Stat(rec.FS(), t.File); err == nil && t.File != "" {
			out = fmt.Appendf(out, "%6d.%03d MB", st.Size()>>20, st.Size()>>10&1023)
		}
		out = append(out, '\n')
	}
	return out, nil
}

func flag(letter byte, set bool) byte {
	if set {
		return letter
	}
	return ' '
}
