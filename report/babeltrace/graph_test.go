package babeltrace

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/report"
)

// sample returns a sample of a group.
func sample(t *testing.T, group, name string) *ctftest.Sample {
	t.Helper()
	for _, s := range ctftest.Samples(t, group) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no sample %s/%s", group, name)
	return nil
}

// saved reads a text of babeltrace2 2.0.4 (testdata/README.md).
func saved(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// old returns the options of 2.0.
func old() Options {
	o := Default()
	o.Bare, o.Times.Zone = true, time.UTC
	return o
}

// TestOverlap prints samples with --stream-intersection. Babeltrace2 prints messages about losses
// between the lines.
func TestOverlap(t *testing.T) {
	for _, x := range [][2]string{{"babeltrace", "1-intersection-3eventsintersect"},
		{"babeltrace", "1-packet-seq-num-2-streams-lost-in-1"}, {"odd", "wrap-1"}} {
		want := saved(t, "intersection-"+x[1])
		job, out, said := sampleJob(sample(t, x[0], x[1]))
		o := old()
		if err := job.Finish(Run(t.Context(), job, &o, &Window{Overlap: true}, true)); err != nil {
			t.Error(x[1], err)
		}
		here, _ := os.Getwd()
		losses := strings.ReplaceAll(said.String(), here+"/", "")
		if diff := cmp.Diff(parted(want), [2]string{out.String(), losses}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x[1], diff)
		}
	}
}

// parted separates the messages about losses from the lines.
func parted(text string) (parts [2]string) {
	for line := range strings.Lines(text) {
		i := 0
		if strings.HasPrefix(line, "WARNING: ") {
			i = 1
		}
		parts[i] += line
	}
	return parts
}

// TestNoOverlap covers traces whose streams have no time in common, or no times.
func TestNoOverlap(t *testing.T) {
	for name, want := range map[string]string{
		"1-intersection-nointersect": "test_stream_0 and test_stream_1 have no time in common",
		"1-succeed-smalltrace":       "dummystream: its packets have no times of begin and end",
	} {
		job, out, _ := sampleJob(sample(t, "babeltrace", name))
		o := old()
		err := job.Finish(Run(t.Context(), job, &o, &Window{Overlap: true}, true))
		if err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
}

// TestCount counts the messages of samples as babeltrace2 does.
func TestCount(t *testing.T) {
	for _, x := range []struct {
		group, name string
		params      string
	}{{"babeltrace", "1-succeed-trace-with-index", ""},
		{"lttng", "lttng-2.13.ust-discard", "hide-zero=yes,step=+100"}} {
		job, out, _ := sampleJob(sample(t, x.group, x.name))
		o := CounterOptions{}
		params, err := ParseParams(x.params)
		if err == nil {
			err = o.SetParams(params)
		}
		if err == nil {
			err = job.Finish(Count(t.Context(), job, &o, &Graph{Force: true}))
		}
		if diff := cmp.Diff(saved(t, "counter-"+x.name), out.String()); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", x.name, err, diff)
		}
	}
	for _, p := range []Param{{"step", "many"}, {"hide-zero", "perhaps"}, {"stop", "1"}} {
		o := CounterOptions{}
		if err := o.SetParams([]Param{p}); err == nil {
			t.Errorf("%v is no error", p)
		}
	}
}

// copyOf adds the files of a trace with another UUID and host. The UUID may be empty.
func copyOf(t *testing.T, dir fs.FS, files fstest.MapFS, name, uuid, host string) {
	t.Helper()
	const was = "6513270e-269e-4d37-b2a7-4de452e6b438"
	raw := func(uuid string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(uuid, "-", ""))
		if err != nil {
			t.Fatal(err)
		}
		return append(b, make([]byte, 16-len(b))...)
	}
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := fs.ReadFile(dir, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "metadata" {
			files[name+"/"+e.Name()] = &fstest.MapFile{Data: bytes.ReplaceAll(data, raw(was), raw(uuid))}
			continue
		}
		text := strings.Replace(string(data), was, uuid, 1)
		if uuid == "" {
			text = regexp.MustCompile(`\tuuid = .*\n`).ReplaceAllString(text, "")
		}
		if host != "" {
			text += fmt.Sprintf("env { hostname = %q; };\n", host)
		}
		files[name+"/metadata"] = &fstest.MapFile{Data: []byte(text)}
	}
}

// TestSeveral prints several traces whose events have the same times, whatever their order on the
// command line.
func TestSeveral(t *testing.T) {
	from, files := sample(t, "odd", "ties-1").Dir, fstest.MapFS{}
	copyOf(t, from, files, "a", "99999999-269e-4d37-b2a7-4de452e6b438", "ha")
	copyOf(t, from, files, "b", "11111111-269e-4d37-b2a7-4de452e6b438", "hb")
	copyOf(t, from, files, "c", "", "hc")
	copyOf(t, from, files, "d", "", "ha")
	copyOf(t, from, files, "e", "", "")
	want := saved(t, "several")
	for _, paths := range [][]string{{"a", "b", "c", "d", "e"}, {"e", "c", "a", "d", "b"},
		{"a", "b", "a", "c", "d", "e"}} {
		var out bytes.Buffer
		job := &report.Job{Job: sources.Job{Path: paths[0], More: paths[1:], FS: files, Workers: 1,
			Warn: func(err error) { t.Log(err) }}, Out: &out}
		o := old()
		o.Fields = Fields{Trace: true, Hostname: true}
		err := job.Finish(Run(t.Context(), job, &o, &Window{}, true))
		if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
			t.Errorf("%v: %v (-want +got):\n%.3000s", paths, err, diff)
		}
	}
	for _, paths := range [][]string{{"a", "z"}, {"a", "a/metadata"}} {
		job := &report.Job{Job: sources.Job{Path: paths[0], More: paths[1:], FS: files, Workers: 1,
			Warn: func(error) {}}, Out: &bytes.Buffer{}}
		o := old()
		if err := job.Finish(Run(t.Context(), job, &o, &Window{}, true)); err == nil {
			t.Errorf("%v is no error", paths)
		}
	}
}

// TestClip cuts losses to a window.
func TestClip(t *testing.T) {
	job, _, said := sampleJob(sample(t, "odd", "lost-1"))
	o := old()
	o.Times.Seconds, o.Times.Cycles = true, true
	w := &Window{Begin: &Moment{ns: 18}, End: &Moment{ns: 40}}
	if err := job.Finish(Run(t.Context(), job, &o, w, true)); err != nil {
		t.Error(err)
	}
	var got []string // the times that babeltrace2 2.0.4 prints; it also reports losses before the first packets
	for _, m := range regexp.MustCompile(`Tracer (.*) in trace`).FindAllStringSubmatch(said.String(), -1) {
		got = append(got, m[1])
	}
	want := []string{"discarded 5 events between [0.000000029] and [0.000000039]",
		"may have discarded events between [0.000000034] and [0.000000040]",
		"discarded 92 packets between [0.000000034] and [0.000000035]",
		"may have discarded events between [0.000000039] and [0.000000040]",
		"discarded 1 packet between [0.000000039] and [0.000000040]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestManyLosses reads more losses than are kept. The others are only counted.
func TestManyLosses(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;
stream { packet.context := struct { u8 content_size; u8 packet_size; u32 events_discarded; }; };
event { name = e; fields := struct { u8 n; }; };
`
	var data []byte
	for i := range 20001 {
		data = append(binary.LittleEndian.AppendUint32(append(data, 56, 56), uint32(i)), 7)
	}
	job, _, said := sampleJob(&ctftest.Sample{Dir: fstest.MapFS{"metadata": {Data: []byte(text)}, "s": {Data: data}}})
	o := old()
	err := job.Finish(Run(t.Context(), job, &o, &Window{}, true))
	lines := strings.Count(said.String(), "WARNING: Tracer discarded 1 event")
	if want := fmt.Sprintf("%d more losses of events or packets are not listed", 20000-lines); err != nil ||
		!strings.Contains(said.String(), want) {
		t.Errorf("%v, %d lines, not %q", err, lines, want)
	}
}
