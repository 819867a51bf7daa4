package values_test

import (
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// each calls visit for every record, thread by thread, as in a dump.
func each(
	t testing.TB, r *uftrace.Recording, visit func(s *uftrace.Session, time uint64, e *uftrace.Entry, data []byte),
) {
	t.Helper()
	for i, s := range r.Streams(record.Options{}) {
		task := r.Tasks()[i]
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for k, e := range batch.Entries {
				if e.More {
					visit(task.SessionAt(batch.Records[k].Time), batch.Records[k].Time, &e, batch.Records[k].Data)
				}
			}
		}
	}
}

// texts renders all payloads of a recording.
func texts(t testing.TB, r *uftrace.Recording, form values.Form) []string {
	t.Helper()
	p := values.New(r, form, values.V013)
	var out []string
	each(t, r, func(s *uftrace.Session, time uint64, e *uftrace.Entry, data []byte) {
		var text []byte
		switch e.Kind {
		case uftrace.Enter:
			text = p.AppendArgs(nil, s, time, e.Sym, data)
			if form != values.Dump {
				text = append(append([]byte{'('}, text...), ')')
			}
		case uftrace.Leave:
			text = p.AppendResult(nil, s, time, e.Sym, data)
		case uftrace.Event:
			text = p.AppendEvent(nil, s, time, uint32(e.Addr), data)
			if form == values.Replay && e.Addr == compiler.Callsite { // replay shows the event after the entry
				text = p.AppendCallsite([]byte("/* from "), s, time, data)
			}
		}
		if p.Short() {
			t.Errorf("a payload of %d bytes is short for %+v", len(data), e.Sym)
		}
		out = append(out, string(text))
	})
	return out
}

// recordLine matches a line of a dump for a record.
var recordLine = regexp.MustCompile(`(?m)^\d+\.\d{9} +-?\d+: .*\n`)

// broken is the text in a dump where times go backwards.
const broken = `
*************************************
* inverted time - data seems broken *
*************************************

`

// TestDump: payloads of all recordings print as in uftrace dump. Version 0.13 stops at a long
// double: the text before it is compared.
func TestDump(t *testing.T) {
	seen := 0
	for _, name := range recordings(t) {
		expected := uftracetest.Unpack(t, filepath.Join(saved, name, "expected.tar.gz"))
		for _, version := range []string{"0.13", "0.19"} {
			file := expected[version+"/dump.txt"]
			if file == nil {
				continue
			}
			t.Run(name+"/"+version, func(t *testing.T) {
				got := strings.Join(texts(t, open(t, name), values.Dump), "")
				_, records, _ := strings.Cut(string(file.Data), "reading ")
				records, _, _ = strings.Cut(records, "\n\nreading kernel")
				records, _, _ = strings.Cut(records, "\n\nreading perf")
				records = strings.ReplaceAll(records+"\n", broken, "")
				var want strings.Builder
				for _, part := range recordLine.Split(records, -1)[1:] {
					part, _, _ = strings.Cut(part, "reading ")
					want.WriteString(part)
				}
				whole := strings.TrimRight(want.String(), "\n")
				if stopped := name == "args-auto"; stopped {
					got = got[:min(len(got), len(whole))]
				}
				if diff := cmp.Diff(strings.Split(whole, "\n"),
					strings.Split(strings.TrimRight(got, "\n"), "\n")); diff != "" {
					t.Error("(-uftrace +tracec)\n", diff)
				}
				seen += strings.Count(whole, "\n")
			})
		}
	}
	if seen < 1000 {
		t.Errorf("%d lines of values", seen)
	}
}

var shown = regexp.MustCompile(`"(?:arguments|retval)":"(.*)"\}`)

// TestJSONAndReplay: payloads print as in dump --chrome, and replay has the other form of each.
func TestJSONAndReplay(t *testing.T) {
	for _, name := range recordings(t) {
		expected := uftracetest.Unpack(t, filepath.Join(saved, name, "expected.tar.gz"))
		for _, version := range []string{"0.13", "0.19"} {
			chrome, replay := expected[version+"/chrome.json"], expected[version+"/replay.txt"]
			if chrome == nil || replay == nil {
				continue
			}
			t.Run(name+"/"+version, func(t *testing.T) {
				r := open(t, name)
				got := texts(t, r, values.JSON)
				for _, m := range shown.FindAllStringSubmatch(string(chrome.Data), -1) {
					i := slices.Index(got, m[1])
					if i < 0 {
						t.Errorf("uftrace shows %s", m[1])
						continue
					}
					got = slices.Delete(got, i, i+1)
				}
				for _, text := range texts(t, r, values.Replay) {
					if !strings.Contains(string(replay.Data), text) {
						t.Errorf("replay does not show %s", text)
					}
				}
			})
		}
	}
}
