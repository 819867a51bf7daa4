package gen_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestIntoReserved checks that a struct may have any name, except names that are always declared.
func TestIntoReserved(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	text, events := "package own\n", []string{"sched_switch", "sched_wakeup", "sched_waking", "sched_process_exec",
		"sched_process_exit", "sched_process_fork", "sched_process_free", "sched_process_wait"}
	for i, name := range []string{"Records", "Stats", "Entry", "Events", "Event", "AppendText", "Env", "SwitchEvent"} {
		text += fmt.Sprintf("\n//tracec:event sched:%s\ntype %s struct{ CPU int32 `tracec:\"@cpu\"` }\n", events[i],
			name)
	}
	into(t, m, u, "own", text)
	m.build(nil, "./own")
	const zebra = "package alone\n\n//tracec:event sched:sched_switch\ntype Zebra struct{}\n"
	pkg := typeCheck(t, append(generated(t, m, u, "alone", zebra), gen.File{Name: "own.go", Content: []byte(zebra)}))
	for _, name := range exported(pkg) {
		if !strings.HasPrefix(name, "Zebra") && !gen.DecoderReserved[name] {
			t.Errorf("%s is not reserved", name)
		}
	}
	for name := range gen.DecoderReserved {
		text := "package own\n\n//tracec:event sched:sched_switch\ntype «into-name: the decoder also declares %[1]s: use another name»%[1]s struct{}\n"
		mistakes(t, m, u, fmt.Sprintf(text, name), gen.Options{})
	}
	const types = `package own

//tracec:event sched:sched_switch
type Switch struct{ PrevPID events; NextPID dispatch }

//tracec:event sched:sched_wakeup
type «into-name: the decoder also declares SwitchEvent: use another name»SwitchEvent struct{}

type events int32

type dispatch int32
`
	mistakes(t, m, u, types, gen.Options{})
	into(t, m, u, "types", strings.NewReplacer("«into-name: the decoder also declares SwitchEvent: use another name»SwitchEvent", "Woken", "package own", "package types").Replace(types))
	m.build(nil, "./types")
}

// Types of fields must not have the names of variables in generated code.
func TestIntoVariables(t *testing.T) {
	mistakes(t, newModule(t), hooksOf(t, "files", []string{"files", "testdata/hooks/hooks.trcfmt"}), `package own

type (
	word  uint32
	head  uint16
	start uint64
)

//tracec:event 012
type Vector struct {
	N      uint8
	Offset «into-type: generated code has variables named word»[]word
	Length «into-type: generated code has variables named head»[]head
	Sum    «into-type: generated code has variables named start»start
}
`, gen.Options{})
}

// Fields may have types with alias names, also if a conversion is needed.
func TestIntoAliases(t *testing.T) {
	m := newModule(t)
	into(t, m, switches(t), "own", `package own

type (
	wide  = uint64
	other = wide
	comm  = string
	chars = [16]letter
	letter = byte
)

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID  wide `+"`"+`tracec:",narrow"`+"`"+`
	NextPID  other `+"`"+`tracec:",narrow"`+"`"+`
	PrevComm comm
	NextComm chars
	At       wide `+"`"+`tracec:"@time"`+"`"+`
	CPU      other `+"`"+`tracec:"@cpu,narrow"`+"`"+`
}
`)
	m.build(nil, "./own")
}

// Structs may have type arguments where they are embedded or on the right-hand side of a
// declaration.
func TestIntoTypeArguments(t *testing.T) {
	m := newModule(t)
	into(t, m, switches(t), "own", `package own

type Pair[A, B any] struct {
	Prev A `+"`"+`tracec:"prev_pid"`+"`"+`
	Next B `+"`"+`tracec:"next_pid"`+"`"+`
}

type PID int32

//tracec:event sched:sched_switch
type Switch Pair[PID, int64]

type stamp[T any] struct{ At T `+"`"+`tracec:"@time"`+"`"+` }

//tracec:event sched:sched_wakeup
type Wakeup struct {
	stamp[uint64]
	PID PID
}
`)
	m.build(nil, "./own")
}

// Tags of a struct count wherever it is embedded, also in a file that comes before the struct's own
// file.
func TestIntoEmbeddedOfLaterFile(t *testing.T) {
	m := newModule(t)
	m.write("own/zebra.go", []byte("package own\n\ntype zebra struct {\n\tState uint8 `tracec:\"prev_state,narrow\"`\n\tseen bool `tracec:\"-\"`\n}\n\nvar _ = zebra{}.seen\n"))
	into(t, m, switches(t), "own", "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ zebra }\n")
	m.build(nil, "./own")
}

// TestIntoConstraints checks that the decoder is built only where the declarations that it names
// are built.
func TestIntoConstraints(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	for name, text := range map[string]string{
		"common.go":                 "type Common int32\n\n//tracec:event sched:sched_wakeup\ntype Wakeup struct{ PID Common }\n",
		"unrelated_" + runtime.GOOS: "",
		"both_" + runtime.GOOS + "_" + runtime.GOARCH +
			".go": "//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32; base }\n",
		"os_" + runtime.GOOS + ".x.go": "type base struct{ CPU int32 `tracec:\"@cpu\"` }\n\ntype Other struct{ base }\n",
		"tagged.go":                    "//go:build !no && (!never || other)\n",
		"tagged2.go":                   "// A comment.\n\n//go:build !(a || b)\n",
		"linux.go":                     "type Pid int32\n",
	} {
		build, rest := "", text
		if strings.HasPrefix(name, "tagged") {
			build, rest = text+"\n", ""
		}
		m.write("own/"+name, []byte(build+"package own\n\n"+rest))
	}
	want := func(t *testing.T, text, constraint string) {
		t.Helper()
		content := generated(t, m, u, "own", "package own\n\n"+text)[0].Content
		_, after, _ := strings.Cut(string(content), "\n\n")
		if constraint != "" {
			constraint = "//go:build " + constraint + "\n\n"
		}
		if !strings.HasPrefix(after, constraint+"package own\n") {
			t.Errorf("want %q, got %q", constraint, after[:60])
		}
	}
	want(t, "", runtime.GOOS+" && "+runtime.GOARCH)
	if err := os.Remove(filepath.Join(m.dir, "own", "both_"+runtime.GOOS+"_"+runtime.GOARCH+".go")); err != nil {
		t.Fatal(err)
	}
	want(t, "", "")
	t.Run("cgo", func(t *testing.T) {
		needs.Program(t, "gcc", "apt-get install gcc")
		t.Setenv("CGO_ENABLED", "1")
		const own = "import \"C\"\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n"
		want(t, own, "cgo")
		// The build cache has the output of cgo for the same file in another folder.
		t.Setenv("GOFLAGS", "-trimpath")
		generated(t, newModule(t), u, "own", "package own\n\n"+own)
		want(t, own, "cgo")
	})
	want(t, "//tracec:event sched:sched_switch\ntype Switch struct{ NextPID Pid; PrevPID []Pid `tracec:\"-\"` }\n", "")
	want(t, "//tracec:event sched:sched_switch\ntype Switch struct{ base }\n", runtime.GOOS)
	m.write("own/tagged.go", []byte("//go:build !no && (!never || other)\n\npackage own\n\ntype Number int32\n"))
	m.write("own/tagged2.go", []byte("// A comment.\n\n//go:build !(a || b)\n\npackage own\n\ntype Prio int32\n"))
	want(t, "//tracec:event sched:sched_switch\ntype Switch struct{ NextPrio Prio }\n", "!(a || b)")
	want(t, "//tracec:event sched:sched_switch\ntype Switch struct{ NextPID Number; NextPrio Prio; base }\n",
		runtime.GOOS+" && !no && (!never || other) && !(a || b)")
	m.build(nil, "./own")
}

// TestIntoEmbeddedElsewhere checks that a struct for all systems may be embedded only by structs of
// other systems. If no such file mentions a struct, its tags are still mistakes.
func TestIntoEmbeddedElsewhere(t *testing.T) {
	m := newModule(t)
	elsewhere := "plan9"
	m.write("own/own_"+elsewhere+".go", []byte("package own\n\n//tracec:event sched:sched_switch\ntype Switch struct {\n\tembedded\n\t*Generic[int32]\n}\n\ntype as declared\n"))
	m.write("own/never.go", []byte("//go:build never\n\npackage own\n\ntype Tagged struct{ tagged }\n\nfunc (\n"))
	m.write("own/own_test.go", []byte("package own\n\ntype Tested struct{ tested }\n"))
	m.write("own/tool.go", []byte("//go:build ignore\n\npackage main\n\ntype Tool struct{ tool }\n"))
	tag := " struct{ CPU int32 `tracec:\"@cpu\"` }\n"
	stray := func(name string) string {
		return "type " + name + " struct{ CPU int32 «into-directive: " + name +
			" has a tag for tracec, but no directive»`tracec:\"@cpu\"` }\n"
	}
	mistakes(t, m, switches(t), "package own\n\n//tracec:event sched:sched_wakeup\ntype Wakeup struct{ PID int32 }\n\ntype embedded"+tag+"type Generic[T any]"+tag+"type declared"+tag+"type tagged"+tag+
		stray("tested")+stray("tool"), gen.Options{})
}

// TestIntoDurations checks that a type that the package declares as time.Duration counts as one and
// needs a unit. Types of other packages are integers.
func TestIntoDurations(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	m.write("model/model.go", []byte("package model\n\nimport clock \"time\"\n\ntype Duration clock.Duration\n\ntype (\n\tShort Duration\n\tCount int64\n)\n"))
	into(t, m, u, "own", `package own

import (
	"generated/model"
	"time"
)

type (
	Delay  time.Duration
	Wait   Delay
	Again  = Wait
	Parens (time.Duration)
	Plain  int64
)

//tracec:event sched:sched_stat_runtime
type Ran struct {
	Delay Delay          `+"`"+`tracec:"runtime,us"`+"`"+`
	Wait  Wait           `+"`"+`tracec:"runtime,ns"`+"`"+`
	Again Again          `+"`"+`tracec:"@time"`+"`"+`
	Count model.Count    `+"`"+`tracec:"pid"`+"`"+`
	Plain Plain          `+"`"+`tracec:"pid"`+"`"+`
	Paren Parens         `+"`"+`tracec:"@time"`+"`"+`
}
`)
	m.build(nil, "./own")
	m.vet("./own")
	text, err := os.ReadFile(filepath.Join(m.dir, "own", gen.IntoName+".go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"h.Delay = Delay(gencode.Duration(binary.NativeEndian.Uint64(data[32:]), time.Microsecond))", "h.Again = Wait(gencode.Duration(r.Time, time.Nanosecond))"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	mistakes(t, m, u, `package own

import (
	"generated/model"
	"time"
)

type (
	Plain int64
	Delay time.Duration
)

//tracec:event sched:sched_stat_runtime
type Ran struct {
	A «into-type: its unit is missing: want an option ns, us, ms or s»Delay `+"`"+`tracec:"runtime"`+"`"+`
	«into-tag: a unit is for time.Duration, or a type that this package declares as it: leave it out»B Plain `+"`"+`tracec:"pid,us"`+"`"+`
	«into-tag: leave it out»C model.Count `+"`"+`tracec:"pid,us"`+"`"+`
	«into-tag: leave it out»D model.Short `+"`"+`tracec:"pid,us"`+"`"+`
}
`, gen.Options{})
}

// If other files have directives, a directive in a test file is a warning.
func TestIntoDirectiveInTests(t *testing.T) {
	m := newModule(t)
	text := "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n"
	m.write("own/own_test.go", []byte("package own\n\nvar _ = 1\n\n"+
		strings.ReplaceAll(text[len("package own\n\n"):], "Switch", "Tested")))
	s := structsIn(t, m, "own", text)
	files, messages, err := gen.GenerateInto(switches(t), s, nil, gen.Options{})
	if err != nil || len(messages) > 0 {
		t.Fatal(err, messages)
	}
	warnings, err := s.Check(context.Background(), files[0].Content)
	if err != nil || len(warnings) != 1 || !strings.HasSuffix(warnings[0].Error(),
		"own_test.go:5:1: warning: files of tests are not read: declare the struct in another file [into-directive]") {
		t.Error(err, warnings)
	}
}

// If no built file has a directive, the message names files with one that are not built here or are
// for tests.
func TestIntoFilesPassedOver(t *testing.T) {
	m := newModule(t)
	text := "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n"
	m.write("own/own_test.go", []byte(text))
	m.write("own/tagged.go", []byte("//go:build never\n\n"+text))
	m.write("own/other.go", []byte("//go:build never\n\npackage own\n"))
	s := structsIn(t, m, "own", "package own\n")
	if _, _, err := gen.GenerateInto(switches(t), s, nil, gen.Options{}); err == nil ||
		!strings.HasSuffix(err.Error(), "are not read (own_test.go, tagged.go)") {
		t.Error(err)
	}
}

// The message contains the error of the go command about a directory. It has a place only if that
// error has one.
func TestIntoNoPackage(t *testing.T) {
	m := newModule(t)
	m.write("empty/README", nil)
	m.write("excluded/own.go", []byte("//go:build ignore\n\npackage excluded\n"))
	m.write("two/a.go", []byte("package a\n"))
	m.write("two/b.go", []byte("package b\n"))
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "own.go"), []byte("package own\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		filepath.Join(m.dir, "empty"):    "no Go files in ",
		filepath.Join(m.dir, "excluded"): "build constraints exclude all Go files in ",
		filepath.Join(m.dir, "two"):      "found packages a (a.go) and b (b.go) in ",
		outside:                          outside + ": not in a Go module (no go.mod above)",
	} {
		if _, err := gen.ReadStructs(context.Background(), dir, gen.IntoName); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", dir, err, want)
		}
	}
}
