package dump

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

const testdata = "../../../testdata/ftrace"

// most are the options of the saved texts without "all" in their names.
var most = Options{
	Summary: true, HeadPage: true, HeadEvent: true, Systems: true, CmdLines: true, Options: true, Flyrecord: true,
	Clock:  true,
	Layout: true, Strings: true,
}

func dump(t *testing.T, path, name string, o Options) (string, []error, error) {
	t.Helper()
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var out bytes.Buffer
	var warnings []error
	job := &report.Job{Job: sources.Job{Path: name, Warn: func(err error) { warnings = append(warnings, err) }},
		Out: &out}
	err = Run(context.Background(), rec, o, job)
	return out.String(), warnings, err
}

// TestReference compares with the output of trace-cmd 3.1.6.
func TestReference(t *testing.T) {
	texts, err := filepath.Glob(filepath.Join(testdata, "*.dump*.txt.zst"))
	if err != nil || len(texts) < 5 {
		t.Fatal("no saved texts", texts, err)
	}
	for _, text := range texts {
		name, mode, _ := strings.Cut(strings.TrimSuffix(filepath.Base(text), ".txt.zst"), ".dump")
		t.Run(name+mode, func(t *testing.T) {
			o := most
			if mode == "-all" {
				o = All()
			}
			got, warnings, err := dump(t, filepath.Join(testdata, name+".dat"), name+".dat", o)
			if err != nil || warnings != nil {
				t.Fatal(err, warnings)
			}
			packed, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			z, err := zstd.NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := z.DecodeAll(packed, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCut: the intact part of a truncated file is printed, and the rest is reported.
func TestCut(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testdata, "amd64-instances.dat"))
	if err != nil {
		t.Fatal(err)
	}
	const strings15 = 116800 // before the section of strings ends
	path := filepath.Join(t.TempDir(), "cut.dat")
	if err := os.WriteFile(path, data[:strings15], 0o644); err != nil {
		t.Fatal(err)
	}
	got, warnings, err := dump(t, path, "cut.dat", Options{Summary: true, Layout: true})
	if !errors.Is(err, report.ErrDamaged) || len(warnings) == 0 {
		t.Fatal(err, warnings)
	}
	for _, line := range []string{"[Section 18 @", "[buffer \"\", \"", "[Kallsyms, 332356 bytes]"} {
		if !strings.Contains(got, line) {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
	last := warnings[0].Error()
	if !strings.Contains(last, "cut.dat: offset") || !strings.Contains(last, "ends too early") {
		t.Error(last)
	}
}
