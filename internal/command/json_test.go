package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The schemas of JSON output, as in programs that read it. The test fails if a key is renamed, or
// if a key is missing here.
type (
	schemaHead struct {
		Schema  string `json:"schema"`
		Tracec  string `json:"tracec"`
		Limited bool   `json:"limited"`
	}
	schemaRecording struct {
		File         string         `json:"file"`
		Format       string         `json:"format"`
		Damage       []schemaDamage `json:"damage"`
		DamagePlaces int64          `json:"damage_places"`
		SkippedBytes int64          `json:"skipped_bytes"`
	}
	schemaDamage struct {
		File, Part, Message string
		Offset, Skipped     int64
	}
	schemaCounts struct {
		BeginNS     *uint64 `json:"begin_ns"`
		EndNS       *uint64 `json:"end_ns"`
		BeginTicks  *uint64 `json:"begin_ticks"`
		EndTicks    *uint64 `json:"end_ticks"`
		Count, Lost int64
		LostUnknown bool `json:"lost_unknown"`
		Gaps        int64
	}
	schemaRow struct {
		System, Name, Label, Comm string
		ID, CPU, TID, PID         *int64
		Count                     int64
		FirstNS                   *uint64 `json:"first_ns"`
		LastNS                    *uint64 `json:"last_ns"`
		FirstTicks                *uint64 `json:"first_ticks"`
		LastTicks                 *uint64 `json:"last_ticks"`
	}
	schemaStat struct {
		schemaHead
		Recordings []struct {
			schemaRecording
			schemaCounts
			Buffers []struct {
				Name string
				schemaCounts
				ByEvent   []schemaRow `json:"by_event"`
				ByCPU     []schemaRow `json:"by_cpu"`
				ByThread  []schemaRow `json:"by_thread"`
				ByProcess []schemaRow `json:"by_process"`
			}
		}
	}
	schemaInfo struct {
		schemaHead
		Recordings []struct {
			schemaRecording
			schemaCounts
			Kind                                                string
			ByteOrder                                           string `json:"byte_order"`
			Word                                                int
			Compression, Clock, Kernel, Machine, Host, Recorder string
			Described                                           int64
			Options                                             []struct {
				ID, Bytes, Offset int64
				Name              string
			}
			Buffers []struct {
				Name, Clock string
				PageSize    int   `json:"page_size"`
				TextBytes   int64 `json:"text_bytes"`
			}
			CPUs []struct {
				Buffer, File                  string
				CPU, TID                      *int64
				Events                        int64
				Bytes, Offset, Calls, Returns *int64
				BeginNS                       *uint64 `json:"begin_ns"`
				EndNS                         *uint64 `json:"end_ns"`
				BeginTicks                    *uint64 `json:"begin_ticks"`
				EndTicks                      *uint64 `json:"end_ticks"`
				Lost                          int64
				LostUnknown                   bool `json:"lost_unknown"`
				Gaps                          int64
			}
		}
	}
	schemaList struct {
		schemaHead
		Recordings []struct {
			schemaRecording
			Events []struct {
				System, Name, Label, Format, Kind string
				ID                                *int64
				Fields                            []struct {
					Name, Type   string
					Offset, Size *int64
					Signed       bool
				}
			}
		}
	}
	schemaIndex struct {
		schemaHead
		Recordings []struct {
			schemaRecording
			Index                 string
			Parts, Records, Bytes int64
		}
	}
	schemaFindings struct {
		schemaHead
		Command, Version, Summary string
		Findings                  []struct {
			File, Severity, Code, Message string
			Line, Column                  int
		}
	}
	schemaDiff struct {
		schemaHead
		Old, New string
		Counts   map[string]int
		Events   []struct {
			System, Group, Name, Class, Error string
			Exit                              bool
			Lost                              []string
			Changes                           []struct{ Kind, Field, Old, New string }
		}
	}
	schemaVersion struct {
		schemaHead
		Version, Commit, Go, OS, Arch string
	}
)

// jsonSamples are recordings of all systems. One of them is damaged.
func jsonSamples(t *testing.T) []string {
	t.Helper()
	list := []string{
		"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/amd64-instances.dat",
		"../../testdata/ftrace/amd64-clock-counter.dat",
		"../../testdata/aix/shop64.trc", "../../testdata/aix/shop32.trc", "../../testdata/uftrace/abc-full/data.tar.gz",
		"../../testdata/uftrace/events/data.tar.gz", "../../testdata/lttng/realwriter/ust26-le64-packed.tar.xz",
	}
	damaged := filepath.Join(t.TempDir(), "end.dat")
	data := readAll(t, list[0])
	write(t, damaged, data[:len(data)-3000])
	return append(list, damaged)
}

func readAll(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// never matches text that must not occur in JSON: null, -1 and times that are not integers.
var never = regexp.MustCompile(`: (null|-1\b)|_(ns|ticks)": [0-9]*[.eE"]`)

// parseJSON reads the output of a command into its schema, and checks rules for all schemas.
func parseJSON(t *testing.T, into any, code int, args ...string) {
	t.Helper()
	got, out, errs := tracec(nil, args...)
	if got != code {
		t.Errorf("%q: exit code %d, that of text is %d: %s", args, got, code, errs)
	}
	if m := never.FindString(out); m != "" {
		t.Errorf("%q: prints %q", args, m)
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%q: %v in\n%.400s", args, err, out)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(out), "", "  "); err != nil || indented.String() != out {
		t.Errorf("%q: the form of the JSON is another: %v", args, err)
	}
}

// TestJSON reads the JSON of all commands that support it. Exit codes and numbers must equal the
// text.
func TestJSON(t *testing.T) {
	for _, file := range jsonSamples(t) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			code, text, _ := tracec(nil, "stat", file)
			var st schemaStat
			parseJSON(t, &st, code, "stat", "--json", file)
			sums := int64(0)
			for _, b := range st.Recordings[0].Buffers {
				sum := int64(0)
				for _, r := range b.ByEvent {
					sum += r.Count
				}
				if sum != b.Count || !strings.Contains(text, fmt.Sprintf("%d event", b.Count)) {
					t.Errorf("stat: %d events in buffer %q, rows have %d; text:\n%.300s", b.Count, b.Name, sum, text)
				}
				sums += b.Count
			}
			if r := st.Recordings[0]; st.Schema != "tracec-stat/1" || r.File != file || r.Count != sums ||
				(len(r.Damage) > 0) != (code == exitDamaged) {
				t.Errorf("stat: %+v", r)
			}
			code, text, _ = tracec(nil, "info", file)
			var in schemaInfo
			parseJSON(t, &in, code, "info", "--json", file)
			if in.Schema != "tracec-info/1" || in.Recordings[0].Format != st.Recordings[0].Format ||
				in.Recordings[0].Count < sums {
				t.Errorf("info: %+v", in.Recordings[0])
			}
			for _, c := range in.Recordings[0].CPUs {
				if c.Calls == nil && !strings.Contains(text, fmt.Sprint(c.Events)) {
					t.Errorf("info: %d events are not in the text", c.Events)
				}
			}
			code, text, _ = tracec(nil, "list", file)
			var li schemaList
			parseJSON(t, &li, code, "list", "--fields", "--json", file)
			if n := len(li.Recordings[0].Events); li.Schema != "tracec-list/1" || n != strings.Count(text, "\n") {
				t.Errorf("list: %d events, %d lines", n, strings.Count(text, "\n"))
			}
		})
	}
}

// TestJSONOfOthers is TestJSON for commands that do not read one recording.
func TestJSONOfOthers(t *testing.T) {
	old, other := "../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/sid-zlib.dat"
	var d schemaDiff
	parseJSON(t, &d, 0, "diff", "--json", "-n", "3", old, other)
	if d.Schema != "tracec-diff/1" || !d.Limited || len(d.Events) != 3 || d.Counts["unbound"] == 0 {
		t.Errorf("diff: %+v", d)
	}
	var f schemaFindings
	code, _, _ := tracec(nil, "vet", old)
	parseJSON(t, &f, code, "vet", "--json", old)
	if f.Schema != "tracec-findings/1" || f.Command != "vet" || f.Summary == "" || f.Findings == nil {
		t.Errorf("vet: %+v", f)
	}
	var v schemaVersion
	parseJSON(t, &v, 0, "version", "--json")
	if v.Schema != "tracec-version/1" || v.Go == "" || v.OS == "" || v.Version != v.Tracec {
		t.Errorf("version: %+v", v)
	}
	file := filepath.Join(t.TempDir(), "trace.dat")
	write(t, file, readAll(t, "../../testdata/ftrace/amd64-syscalls.dat"))
	for _, option := range []string{"--quiet", "--check"} {
		var x schemaIndex
		parseJSON(t, &x, 0, "index", "--json", option, file)
		if r := x.Recordings[0]; x.Schema != "tracec-index/1" || r.Bytes == 0 || r.Index != file+".tracec-index" {
			t.Errorf("index %s: %+v", option, r)
		}
	}
	code, out, _ := tracec(nil, "stat", "--json", old, "nosuch", other)
	var st schemaStat
	if err := json.Unmarshal([]byte(out), &st); err != nil || len(st.Recordings) != 2 || code != exitDamaged {
		t.Errorf("several recordings: %v, %d of them, exit code %d", err, len(st.Recordings), code)
	}
}
