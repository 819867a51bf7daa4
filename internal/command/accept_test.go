package command

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// kindsOfRecording has one recording of each kind, by paths under testdata. Archives are unpacked.
var kindsOfRecording = []struct{ name, path string }{
	{"ftrace", "ftrace/amd64-extract.dat"},
	{"tracefs", "ftrace/amd64-snapshot.tar.zst"},
	{"aix64", "aix/shop64.trc"},
	{"aix32", "aix/shop32.trc"},
	{"uftrace", "uftrace/args-auto/data.tar.gz"},
	{"lttng", "lttng/synthetic/v26-be32-aligned.tar.xz"},
}

// commandsOnRecordings are all commands that mean the same for every system, with arguments that
// suffice for each system.
var commandsOnRecordings = [][]string{
	{"report"}, {"report", "-R"}, {"report", "--stat"}, {"list"}, {"list", "--fields"}, {"info"}, {"stat"},
	{"stat", "--json"},
	{"export", "--to=perfetto", "-o=-"}, {"export", "--to=ndjson"}, {"export", "--to=csv"},
	{"export", "--to=chrome", "-o=-"},
	{"gen", "-pkg=p", "-dump=ir"}, {"vet"}, {"__complete", "report", "PATH", "-e", ""},
	{"__complete", "gen", "PATH", "--events", ""},
}

// TestAcceptance checks that all commands accept the same recordings of a system, in any packing.
// The exit code is the same as for the unpacked recording. If report prints a recording, no other
// command fails to open it.
func TestAcceptance(t *testing.T) {
	for _, k := range kindsOfRecording {
		t.Run(k.name, func(t *testing.T) {
			plain := unpackedSample(t, filepath.Join("../../testdata", k.path))
			packed := packings(t, plain)
			for i, command := range commandsOnRecordings {
				t.Run(strings.Join(command, " "), func(t *testing.T) {
					want, out, errs := tracec(nil, on(command, plain)...)
					if describes := !strings.HasPrefix(k.name, "aix"); want != 0 &&
						(describes || command[0] != "gen" && command[0] != "vet") {
						t.Errorf("exit code %d, %s", want, errs)
					} else if !describes && want != 0 &&
						(want != exitUsage || !strings.Contains(errs,
							"do not describe events; give the template file")) {
						t.Errorf("exit code %d, %s", want, errs)
					}
					for n, name := range slices.Sorted(maps.Keys(packed)) {
						if (i+n)%needs.Cases(t, 6, 1) > 0 {
							continue // another command reads it
						}
						path := packed[name]
						code, got, errs := tracec(nil, on(command, path)...)
						if code != want || (len(got) == 0) != (len(out) == 0) ||
							strings.Count(got, "\n") != strings.Count(out, "\n") {
							t.Errorf("%s: exit code %d, %d lines; of the recording itself %d, %d lines: %s",
								name, code, strings.Count(got, "\n"), want, strings.Count(out, "\n"), errs)
						}
						if command[0] == "__complete" || name != "" && name != ".tar.gz" {
							continue // completion in a shell does not read standard input
						}
						stdin, err := os.ReadFile(path)
						if err != nil {
							t.Fatal(err)
						}
						if code, got, errs := tracec(stdin, on(command, "-")...); code != want ||
							strings.Count(got, "\n") != strings.Count(out, "\n") {
							t.Errorf("%s through standard input: exit code %d, %d lines: %s", name, code,
								strings.Count(got, "\n"), errs)
						}
					}
				})
			}
		})
	}
}

// TestAcceptanceOfTemplates: packed files of templates are accepted by all commands that only read
// them.
func TestAcceptanceOfTemplates(t *testing.T) {
	const rec = "../../testdata/aix/shop64.trc"
	text, err := os.ReadFile("../../testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	templates := write(t, filepath.Join(t.TempDir(), "shop.trcfmt"), text)
	for ext, pack := range map[string]func([]byte) []byte{".gz": gz, ".zst": zst, ".xz": xzPacked} {
		b := pack(text)
		if b == nil {
			continue
		}
		packed := write(t, filepath.Join(t.TempDir(), "shop.trcfmt"+ext), b)
		for _, command := range [][]string{
			{"vet", "FILE"}, {"list", "FILE"}, {"gen", "-pkg=p", "-dump=ir", "FILE"}, {"report", "-t", "FILE", rec},
			{"stat", "-t", "FILE", rec}, {"trcrpt", "-t", "FILE", rec},
		} {
			run := func(name string) (int, string) {
				args := slices.Clone(command)
				args[slices.Index(args, "FILE")] = name
				code, out, errs := tracec(nil, args...)
				return code, strings.ReplaceAll(strings.ReplaceAll(out+errs, filepath.Base(name), "FILE"),
					filepath.Dir(name), "DIR")
			}
			wantCode, want := run(templates)
			if code, got := run(packed); code != wantCode || got != want || code != 0 {
				t.Errorf("%s of %s: exit code %d, want %d\n%.500s", command[0], ext, code, wantCode, got)
			}
		}
	}
}

// on returns a command with its input.
func on(command []string, path string) []string {
	if i := slices.Index(command, "PATH"); i >= 0 {
		return slices.Replace(slices.Clone(command), i, i+1, path)
	}
	return append(slices.Clone(command), path)
}

// packings packs a recording in each possible way.
func packings(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{".tar.gz": tarOf(t, path)}
	packed, err := os.ReadFile(all[".tar.gz"])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var tar bytes.Buffer
	if _, err := tar.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	add := func(name string, text []byte) {
		for ext, pack := range map[string]func([]byte) []byte{"": bytes.Clone, ".gz": gz, ".zst": zst,
			".xz": xzPacked} {
			if b := pack(text); b != nil && all[name+ext] == "" {
				all[name+ext] = write(t, filepath.Join(dir, "rec"+name+ext), b)
			}
		}
	}
	add(".tar", tar.Bytes())
	if st, err := os.Stat(path); err == nil && st.Mode()&fs.ModeDir == 0 {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add("", text)
	}
	if len(all) < 3 {
		t.Fatal("packed in no way")
	}
	return all
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func zst(b []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		return nil
	}
	return z.EncodeAll(b, nil)
}

// xzPacked is nil if xz is missing.
func xzPacked(b []byte) []byte {
	cmd := exec.Command("xz", "-c", "-0") // with a small dictionary, because each reader allocates it
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return out
}
