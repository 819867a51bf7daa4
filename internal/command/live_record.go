package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/rewrite"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// spoolEnd is the suffix of the directory that holds a recording while it is being made.
const spoolEnd = ".live"

// record records to a directory next to the file, and makes the file from it at the end. If the
// process is killed, the directory remains. It is also a recording.
func (l *liveRun) record(ctx context.Context) error {
	file, dir := l.o.output, l.o.output+spoolEnd
	c, err := l.in.NewCopy(dir, l.rec)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: it is the recording of a killed process: tracec report %s reads it, and tracec trace-cmd convert -i %s -o FILE makes a file of it",
			err, dir, dir)
	}
	if err != nil {
		return err
	}
	failed := c.Run()
	if failed == nil {
		failed = l.complete(ctx, file, dir)
	}
	if failed != nil && !errors.Is(failed, report.ErrDamaged) {
		return fmt.Errorf("%w\nwhat was recorded until then is in %s: tracec report %s reads it", failed, dir, dir)
	}
	return errors.Join(failed, os.RemoveAll(dir))
}

// complete makes the file from the directory.
func (l *liveRun) complete(ctx context.Context, file, dir string) error {
	rec, err := ftrace.Open(dir, ftrace.WithMemory(memory(l.cmd)))
	if err != nil {
		return err
	}
	defer rec.Close()
	pack := l.o.pack
	if pack == "" {
		pack = "none"
	}
	err = rewrite.Convert(ctx, rec, rewrite.ConvertOptions{Output: file, Version: l.o.version, Compression: pack,
		Places: io.Discard}, l.job)
	if err == nil || errors.Is(err, report.ErrDamaged) {
		SayWrote(l.cmd, file, Amount(recorded(ctx, rec), "event")+sizeOnDisk(file)+"; tracec report "+shellWord(file)+
			" prints it")
	}
	return err
}

// recorded counts the events of a recording.
func recorded(ctx context.Context, rec *ftrace.Recording) (n int64) {
	for _, s := range rec.Streams(ftrace.StreamOptions{Options: record.Options{Context: ctx}}) {
		for {
			batch, err := s.Next()
			n += int64(len(batch.Records))
			if err != nil {
				break
			}
		}
	}
	return n
}
