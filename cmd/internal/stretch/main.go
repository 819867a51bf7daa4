// Command stretch makes a long trace.dat from a short one, for benchmarks. It repeats the pages of
// a recording with later times.
//
//	go run ./cmd/internal/stretch -in sched.dat -out big.dat -size 400M [-v 6]
//
// The result is a valid uncompressed file of version 7 or 6 with the top buffer of the input. It
// has the same events and the same mix of processors. The times of each processor continue without
// a break. trace-cmd report reads it.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
)

func main() {
	in := flag.String("in", "", "recording to repeat")
	out := flag.String("out", "", "file to write")
	size := flag.String("size", "400M", "bytes of CPU data to write, about; K, M and G are powers of 1024")
	version := flag.Int("v", 7, "version of trace.dat, 6 or 7")
	flag.Parse()
	if err := stretch(*in, *out, *size, *version); err != nil {
		fmt.Fprintln(os.Stderr, "stretch:", err)
		os.Exit(1)
	}
}

func stretch(in, out, size string, version int) error {
	want, err := parseSize(size)
	if err != nil {
		return err
	}
	if in == "" || out == "" || version != 6 && version != 7 {
		return errors.New("need -in, -out and -v 6 or 7")
	}
	rec, err := ftrace.Open(in)
	if err != nil {
		return err
	}
	defer rec.Close()
	loop, err := newLoop(rec, want)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	w := newWriter(bufio.NewWriterSize(f, 1<<20), rec.Info().ByteOrder)
	if version == 6 {
		writeV6(w, rec, loop)
	} else {
		writeV7(w, rec, loop)
	}
	return errors.Join(w.flush(), f.Close())
}

func parseSize(s string) (int64, error) {
	shift := 0
	if i := strings.IndexAny(s, "KMG"); i >= 0 && i == len(s)-1 {
		shift = 10 * (1 + strings.IndexByte("KMG", s[i]))
		s = s[:i]
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("size %q is not a positive number", s)
	}
	return n << shift, nil
}
