package input

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDescribe: descriptions name files that are often mistaken for recordings.
func TestDescribe(t *testing.T) {
	for head, want := range map[string]string{
		"": "empty", "PERFILE2\x68": "perf script", "/* CTF 1.8 */\n": "metadata of a CTF trace",
		"\xc1\x1f\xfc\xc1\x00": "stream of a CTF",
		"\x57\x1d\xd1\x75\x00": "metadata of a CTF", "\x7fELF\x02": "ELF", "go 1.22 trace\x00\x00\x00": "go tool trace",
		"Nettrace\x14\x00\x00\x00!FastSerialization.1": ".NET", "\x14\x00\x00\x00!FastSerialization.1": ".NET",
		"\xa1\xb2\xc3\xd4": "pcap", "\x04\x22\x4d\x18": "lz4", "PK\x03\x04": "unzip", "{\"traceEvents\":[": "Chrome",
		" [\n{\"ph\": \"B\"": "Chrome", "{\"a\": 1}": "JSON", "<?xml version": "XML",
		"cpus=4\n           sleep-1 [000] 1.000000: x: y\n":                   "trace-cmd report",
		"version = 7\nCPU 1 is empty\ncpus=2\n":                               "trace-cmd report",
		"# tracer: nop\n#\n# entries-in-buffer":                               "kernel's trace file",
		"          <idle>-0     [001] d..2.  100.123456: sched_switch: prev":  "text of ftrace",
		"# DURATION     TID     FUNCTION\n   1.2 us [ 12] | main() {":         "uftrace",
		"  Total time   Self time       Calls  Function\n":                    "uftrace",
		"kernel.syscall_entry: 179613.341883562 (/traces/t1/kernel_1), 13575": "LTTV",
		"ID  PROCESS NAME   CPU PID\n001 -1- -1 TRACE ON":                     "trcrpt",
		"hello, world\n": "text", "\x00\x01\x02\xff\xfe": "",
	} {
		what, _ := describe([]byte(head))
		if want == "" && what != "" || !strings.Contains(what, want) {
			t.Errorf("%.30q: %q, want %q", head, what, want)
		}
	}
}

// calls returns records of uftrace with functions that call each other in turn.
func calls(order binary.AppendByteOrder, n int) (b []byte) {
	for i := range uint64(n) {
		b = order.AppendUint64(b, 25048943252426+100*i)
		b = order.AppendUint64(b, i%2|5<<3|i%3<<6|0x5601_54c2_0260<<16)
	}
	return b
}

// TestThread: a file of one thread of uftrace is described in either byte order. Its kind is not
// detected.
func TestThread(t *testing.T) {
	guess := []Kind{{Guess: true, Detect: func(*Probe) bool { return true }}}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for n, want := range map[int]bool{0: false, 7: false, 8: true, 1000: true} {
			path := filepath.Join(t.TempDir(), "17.dat")
			if err := os.WriteFile(path, calls(order, n), 0o600); err != nil {
				t.Fatal(err)
			}
			in, err := Open(t.Context(), path, nil, 0, guess, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := in.Kind < 0; got != want || want && !strings.Contains(in.Unknown().Error(), "directory") {
				t.Errorf("%v, %d records: kind %d, %v", order, n, in.Kind, in.Unknown())
			}
			in.Close()
		}
	}
	backwards := calls(binary.LittleEndian, 20)
	binary.LittleEndian.PutUint64(backwards[16:], 1)
	if isThread(backwards) {
		t.Error("times that go back")
	}
}

// magic is the kind of recording in these tests.
var magic = []Kind{{Detect: func(p *Probe) bool { return bytes.HasPrefix(p.Head, []byte("MAGIC")) || p.Has("magic") }}}

// TestDirectories: directories and archives without a recording are described.
func TestDirectories(t *testing.T) {
	for want, files := range map[string][]string{
		"an empty directory":               {},
		"a directory of a, b, c, d, e, …":  {"a", "b", "c", "d", "e", "f"},
		"trace-cmd restore":                {"trace.dat.cpu0", "trace.dat.cpu1"},
		"which are in events/":             {"cpu0/trace_pipe_raw"},
		"2 recordings: one, two; name one": {"one/magic", "two/magic"},
	} {
		dir := t.TempDir()
		for _, f := range files {
			name := filepath.Join(dir, filepath.FromSlash(f))
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in, err := Open(t.Context(), dir, nil, 0, magic, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Unknown(); in.Kind >= 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		in.Close()
	}
}

// TestCancelled: the end of a context ends the wait for a pipe, the copy of a pipe and the
// unpacking of a file.
func TestCancelled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "big", Size: 1 << 20, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "big.tgz")
	if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string][]byte{"nothing": nil, "a packed head": packed.Bytes()[:20],
		"half a magic number": []byte("MAG")} {
		ctx, cancel := context.WithCancel(t.Context())
		r, p := io.Pipe()
		go func() {
			if len(begin) > 0 {
				p.Write(begin) // it has been read, and the reader waits for more
			}
			cancel()
		}()
		if in, err := Open(ctx, "-", r, 0, magic, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, in, err)
		}
		r.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if in, err := Open(ctx, file, nil, 0, magic, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("unpacking: %v, %v", in, err)
	}
	if list, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(list) > 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}

// TestLive: a slow stream is recognized by its beginning, without loss.
func TestLive(t *testing.T) {
	r, p := io.Pipe()
	defer r.Close()
	first, second := "MAGIC"+strings.Repeat("1", soon), "the rest"
	go p.Write([]byte(first))
	in, err := Open(t.Context(), "-", r, 0, magic, nil)
	if err != nil || in.Kind != 0 {
		t.Fatalf("%v, %v", in, err)
	}
	defer in.Close()
	go func() {
		p.Write([]byte(second))
		p.Close()
	}()
	if all, err := io.ReadAll(in.Stream); err != nil || string(all) != first+second {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}

// TestRest: data after the end of a packed recording or archive is not copied, and is reported.
func TestRest(t *testing.T) {
	var archived bytes.Buffer
	w := tar.NewWriter(&archived)
	if err := errors.Join(w.WriteHeader(&tar.Header{Name: "magic", Size: 5, Mode: 0o600}), write(w, "MAGIC"),
		w.Close()); err != nil {
		t.Fatal(err)
	}
	kinds := []Kind{{Detect: magic[0].Detect, Extent: func(io.ReaderAt, int64) (int64, bool) { return 5, true }}}
	for name, content := range map[string]string{"recording": "MAGIC", "archive": archived.String()} {
		file := filepath.Join(t.TempDir(), name+".gz")
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		if err := errors.Join(write(z, content), write(z, strings.Repeat("\x00", 160<<20)), z.Close(),
			os.WriteFile(file, packed.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		in, err := Open(t.Context(), file, nil, 0, kinds, nil)
		if err != nil || in.Kind != 0 || len(in.Damage()) != 1 || !errors.Is(in.Damage()[0], ErrRest) {
			t.Errorf("%s: %v, %+v", name, err, in)
		}
		if in != nil {
			in.Close()
		}
	}
}

func write(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}
