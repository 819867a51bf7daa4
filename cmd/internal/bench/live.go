package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

const liveTitle = "\n## The running kernel\n"

// liveResult is the result of one reader for the load.
type liveResult struct {
	name     string
	buffer   int64 // size of the buffer of each processor, in bytes
	expected int64 // number of events from the load
	got      int64
	took     time.Duration // duration of the load
	cpu      time.Duration // CPU time of the reader, including its start and end
	err      error
}

func (r *liveResult) lost() int64 { return r.expected - r.got }

// writeLive prints the table of readers of the running kernel.
func writeLive(w io.Writer, _ options, m machine, list []liveResult) {
	if len(list) == 0 {
		return
	}
	fmt.Fprint(w, liveTitle+"\nA process makes system calls, two events each, at a rate that it holds. Each reader has an instance of tracefs of its own for the load, one after the "+
		"other. CPU is\nthat of the reader, user and system, with its start and end, as a share of one core while the load goes on. What a reader lacks of the events that the load made is lost;\n"+
		"a reader that loses events is run again with twice the buffer.\n\n")
	fmt.Fprintf(w, "- machine: %s, %s, %s\n- to reproduce, as root: `go run ./cmd/internal/bench -live`\n\n", m.cpu,
		m.system, m.date)
	fmt.Fprintln(w, "| reader | buffer of each processor | M events/s | seconds | lost | CPU | ns of CPU an event |\n|---|---:|---:|---:|---:|---:|---:|")
	for _, r := range list {
		if r.err != nil {
			fmt.Fprintf(w, "| %s | | | | | | %s |\n", r.name, strings.ReplaceAll(r.err.Error(), "\n", " "))
			continue
		}
		fmt.Fprintf(w, "| %s | %d KiB | %.2f | %.1f | %d | %.1f %% | %.0f |\n", r.name, r.buffer>>10,
			float64(r.expected)/r.took.Seconds()/1e6,
			r.took.Seconds(), r.lost(), 100*r.cpu.Seconds()/r.took.Seconds(),
			float64(r.cpu.Nanoseconds())/float64(max(r.got, 1)))
	}
}

// liveChild runs in a child. It makes the load, or reads until it is interrupted.
func liveChild(what, words string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch what {
	case "load":
		return makeLoad(words)
	case "decode":
		return decodeLive(ctx, words)
	}
	return catLive(ctx, words)
}

// paced makes calls at a rate, in short bursts, for the duration d. It returns their number.
func paced(rate float64, d time.Duration, call func(n int)) (calls int64) {
	begin := time.Now()
	for {
		passed := time.Since(begin)
		if passed >= d {
			return calls
		}
		if due := int64(rate * passed.Seconds()); due > calls {
			n := min(due-calls, 10_000)
			call(int(n))
			calls += n
			continue
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// load runs in the child that makes the load. It waits for a byte, makes calls, and prints their
// number and their duration.
func load(words string, call func(n int)) error {
	rate, seconds, _ := strings.Cut(words, "/")
	perSecond, err := strconv.ParseFloat(rate, 64)
	if err != nil {
		return err
	}
	d, err := time.ParseDuration(seconds)
	if err != nil {
		return err
	}
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return err
	}
	begin := time.Now()
	calls := paced(perSecond, d, call)
	_, err = fmt.Println(calls, int64(time.Since(begin)))
	return err
}
