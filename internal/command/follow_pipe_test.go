package command

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"
)

// TestFollowPipe checks that data from a pipe are exported before the pipe ends. If they are not,
// the test hangs.
func TestFollowPipe(t *testing.T) {
	trace, err := os.ReadFile("../../testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"export", "--to", "ndjson", "-o", "-", "-t", "../../testdata/aix/shop.trcfmt"}
	_, whole, _ := tracec(nil, append(args, "../../testdata/aix/shop64.trc")...)
	want := bytes.Count([]byte(whole), []byte("\n"))
	if want < 10 {
		t.Fatalf("%d events", want)
	}
	in, feed := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan int)
	go func() {
		var errs bytes.Buffer
		code := run(append(args, "--follow", "-"), in, out, &errs)
		out.Close()
		ended <- code
	}()
	go feed.Write(trace)
	lines := bufio.NewReader(read)
	for range want {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	feed.Close()
	if rest, _ := io.ReadAll(lines); len(rest) > 0 {
		t.Errorf("then comes %s", rest)
	}
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// TestSmallPipe checks a stream without a magic number that an option declares as AIX. Its first
// events are printed before the pipe ends. They have fewer bytes than are needed to recognize such
// a stream.
func TestSmallPipe(t *testing.T) {
	trace, err := os.ReadFile("../../testdata/aix/shop32.trc")
	if err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan int)
	go func() {
		var errs bytes.Buffer
		code := run([]string{"report", "-t", "../../testdata/aix/shop.trcfmt", "-"}, in, out, &errs)
		out.Close()
		ended <- code
	}()
	go feed.Write(trace[:200])
	lines := bufio.NewReader(read)
	for range 5 { // the heading, an empty line, events
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	feed.Close()
	io.Copy(io.Discard, lines)
	<-ended
}
