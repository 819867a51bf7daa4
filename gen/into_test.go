package gen_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/pattern"
)

// structsIn writes a package of one file and reads it.
func structsIn(t *testing.T, m *module, pkg, text string) *gen.Structs {
	t.Helper()
	m.write(pkg+"/own.go", []byte(text))
	s, err := gen.ReadStructs(context.Background(), filepath.Join(m.dir, pkg), gen.IntoName)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// into generates a decoder for the structs of a package.
func into(t *testing.T, m *module, u *ir.Unit, pkg, text string) []gen.File {
	t.Helper()
	files := generated(t, m, u, pkg, text)
	for _, f := range files {
		m.write(pkg+"/"+f.Name, f.Content)
	}
	return files
}

// generated is a decoder for the structs of a package.
func generated(t *testing.T, m *module, u *ir.Unit, pkg, text string) []gen.File {
	t.Helper()
	s := structsIn(t, m, pkg, text)
	files, messages, err := gen.GenerateInto(u, s, nil, gen.Options{Version: "(test)"})
	if err != nil || len(messages) > 0 {
		t.Fatalf("%v\n%v", err, messages)
	}
	return files
}

// The place of a mistake is after its mark: «code: a part of the message».
var mark = regexp.MustCompile(`«([a-z-]+): ([^»]*)»`)

// unmark returns a text without its marks, and the expected messages: line:col code.
func unmark(text string) (plain string, want, parts []string) {
	var b strings.Builder
	for line, s := range strings.Split(text, "\n") {
		for {
			m := mark.FindStringSubmatchIndex(s)
			if m == nil {
				break
			}
			want = append(want, fmt.Sprintf("own.go:%d:%d: %s", line+1, m[0]+1, s[m[2]:m[3]]))
			parts = append(parts, s[m[4]:m[5]])
			s = s[:m[0]] + s[m[1]:]
		}
		b.WriteString(s + "\n")
	}
	return b.String(), want, parts
}

// mistakes generates for a marked text, and expects exactly the marked messages.
func mistakes(t *testing.T, m *module, u *ir.Unit, text string, opts gen.Options) {
	t.Helper()
	plain, want, parts := unmark(text)
	files, messages, err := gen.GenerateInto(u, structsIn(t, m, "own", plain), nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, x := range messages {
		got = append(got, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(x.Pos.Filename), x.Pos.Line, x.Pos.Column, x.Code))
		if i < len(parts) && !strings.Contains(x.Msg, parts[i]) {
			t.Errorf("%s: %q does not say %q", got[i], x.Msg, parts[i])
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s\n%v", d, messages)
	}
	if len(want) > 0 && files != nil {
		t.Error("there are files in spite of mistakes")
	}
}

// switches has sched_switch with its seven fields, a system call, a stack, an event with dynamic
// text, and an event with a MAC address.
func switches(t *testing.T) *ir.Unit {
	t.Helper()
	u, err := extract()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// extract is loaded once, because generating does not change it.
var extract = sync.OnceValues(func() (*ir.Unit, error) {
	return unit.Load([]string{"le64", "recording", "../testdata/ftrace/amd64-extract.dat", "1"})
})

// TestIntoMistakes: every mistake is reported at its place, all at once.
func TestIntoMistakes(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	m.write("told.go", []byte("package generated\n\ntype Told struct{ PID int32 `tracec:\"prio\"` }\n"))
	for name, text := range map[string]string{
		"fields": `package own

import "time"

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID int32
	«into-field: did you mean PrevPID, PrevPrio or prev_pid?»PrevPio int32
	NextPID int64 ` + "`" + `json:"pid"` + "`" + `
	Comm string ` + "`" + `tracec:"«into-field: did you mean prev_comm»prev_com"` + "`" + `
	«into-field: is not exported»state int64
	Nothing string ` + "`" + `json:"x" tracec:"-"` + "`" + `
	hidden int ` + "`" + `tracec:"-"` + "`" + `
	_ [4]byte
	CPU int32 ` + "`" + `tracec:"«into-field: a record has no @cup; did you mean @cpu?»@cup"` + "`" + `
	«into-field: it has prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio»Zebra int
	Time time.Duration ` + "`" + `tracec:"@time"` + "`" + `
}
`,
		"narrowing": `package own

import "time"

type State uint16

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID «into-narrow: "prev_pid" is int32 (pid_t): int16 has 16 bits»int16
	Next «into-narrow: uint32 has no sign»uint32 ` + "`" + `tracec:"next_pid"` + "`" + `
	PrevPrio int
	PrevState «into-narrow: int has 32 bits on some machines»int
	State «into-narrow: uint16 has no sign»State ` + "`" + `tracec:"prev_state"` + "`" + `
	Cut State ` + "`" + `tracec:"prev_state,narrow"` + "`" + `
	PrevComm «into-narrow: texts longer than 8 bytes are truncated; if that is right, use the option narrow: ` + "`" + `tracec:",narrow"` + "`" + `»[8]byte
	NextComm [32]byte
	Runs «into-narrow: bool is whether it is not 0»bool ` + "`" + `tracec:"prev_state"` + "`" + `
	Time «into-narrow: "@time" is uint64: int64 has 64 bits»int64 ` + "`" + `tracec:"@time"` + "`" + `
	«into-tag: "next_pid" is not truncated»Needless, «into-tag: "next_pid" is not truncated»NextPID int32 ` + "`" + `tracec:"next_pid,narrow"` + "`" + `
	D time.Duration ` + "`" + `tracec:"prev_state,ms"` + "`" + `
}
`,
		"types": `package own

import (
	"net/netip"
	"time"
)

type own struct{ X int32 }

type b int32

type itself []itself

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID «into-type: "prev_pid" is int32 (pid_t): want int32 or a wider integer»string
	PrevComm «into-type: "prev_comm" is text (char[16]): want string, []byte or an array of bytes»int64
	NextPID «into-type: *int32 cannot be filled: want an integer»*int32
	NextComm «into-type: map[string]int cannot be filled»map[string]int
	PrevPrio «into-type: struct{} cannot be filled»struct{}
	NextPrio «into-type: func() cannot be filled»func()
	A «into-type: netip.Addr cannot be filled»netip.Addr ` + "`" + `tracec:"prev_comm"` + "`" + `
	B «into-type: own.own cannot be filled»own ` + "`" + `tracec:"prev_comm"` + "`" + `
	C «into-type: its unit is missing: want an option ns, us, ms or s»time.Duration ` + "`" + `tracec:"prev_state"` + "`" + `
	D «into-type: want int64 or a wider integer»float64 ` + "`" + `tracec:"prev_state"` + "`" + `
	E «into-type: generated code has variables named b»b ` + "`" + `tracec:"prev_pid"` + "`" + `
	F «into-type: its unit is known»time.Duration ` + "`" + `tracec:"@time,ns"` + "`" + `
	I «into-type: own.itself cannot be filled»itself ` + "`" + `tracec:"prev_comm"` + "`" + `
	G «into-type: [][][]byte cannot be filled»[][][]byte ` + "`" + `tracec:"prev_comm"` + "`" + `
}
`,
		"tags": `package own

//tracec:event sched:sched_switch
type Switch struct {
	A int16 ` + "`" + `tracec:"prev_pid,«into-tag: no such option: "narow"; did you mean narrow? (there are narrow,»narow"` + "`" + `
	B int32 ` + "`" + `json:"b" tracec:"prev_pid,ns,«into-tag: a second unit»us"` + "`" + `
	C int32 «into-tag: the tag does not parse»` + "`" + `tracec:prev_pid` + "`" + `
	«into-tag: a unit is for time.Duration»D int32 ` + "`" + `tracec:"prev_pid,ns"` + "`" + `
	«into-tag: every record has "prev_pid": leave out the option ok»E bool ` + "`" + `tracec:"prev_pid,ok"` + "`" + `
	F «into-type: F reports whether there is "prev_pid": want bool»int32 ` + "`" + `tracec:"prev_pid,ok"` + "`" + `
	«into-tag: every record has "prev_pid": leave out the option zero»G int32 ` + "`" + `tracec:"prev_pid,zero"` + "`" + `
	NextPID int32 «into-tag: want KEY:"VALUE" and a space between them»` + "`" + `json:"pid",tracec:"prev_pid"` + "`" + `
	H int32 «into-field: did you mean prev_pid»"tracec:\"prev_pif\""
	NextPrio int32 «into-tag: in lower case»` + "`" + `json:"x" Tracec:"prev_prio"` + "`" + `
	At «into-type: "@time" is uint64: want time.Duration or uint64»string ` + "`" + `tracec:"@time"` + "`" + `
}
`,
		"directives": `package own

//tracec:«into-directive: no such directive: "evnt"; did you mean event?»evnt sched:sched_switch
type Switch struct{ PrevPID int32 }

//tracec:event «into-event: unknown event sched:sched_swich; did you mean sched:sched_switch»sched:sched_swich
type First struct{ PrevPID int32 }

//tracec:«into-directive: want the name of an event»event
type Third struct{ PrevPID int32 }

// Two cannot be.
//
//tracec:event sched:sched_switch
//tracec:«into-directive: Two is filled by sched:sched_switch already: declare another type for sched:sched_wakeup, such as type Two2 Two»event sched:sched_wakeup
type Two struct{ PrevPID int32 }

//tracec:event «into-event: sched_switch already fills Two»sched_switch
type Zwei Two

«into-directive: goes into the comment of a type»//tracec:event sched:sched_switch
func f() {
	«into-directive: goes into the comment of a type»//tracec:event sched:sched_switch
	type local struct{}
}

//tracec:event «into-event: unknown event a: if it is from another input, select structs by -e»a
type Brief struct{ PrevPID int32 }

//tracec:event` + "\t " + `«into-event: unknown event event»event
type Tabbed struct{ PrevPID int32 }

//tracec:event sched:sched_wakeup
//tracec:«into-directive: Twice already has this directive: leave one of them out»event sched:sched_wakeup
type Twice struct{ PID int32 }

// Spaced is not found.
//
«into-directive: a directive has no space after //: want //tracec:event sched:sched_switch»// tracec:event sched:sched_switch
type Spaced struct {
	PrevPID int32 ` + "`" + `tracec:"prev_pid"` + "`" + `
}

// tracec:event sched:sched_switch is what prose says of Prose.
type Prose struct{ PrevPID int32 }

type Untold struct {
	PrevPID int32 «into-directive: Untold has a tag for tracec, but no directive names its event»` + "`" + `tracec:"prev_pid"` + "`" + `
}
`,
		"declarations": `package own

import "generated"

//tracec:event sched:sched_switch
type «into-type: is not exported»hidden struct{ PrevPID int32 }

//tracec:event sched:sched_switch
type «into-type: Number is not a struct»Number int

//tracec:event sched:sched_switch
type «into-type: has type parameters»Generic[T any] struct{ PrevPID T }

//tracec:event sched:sched_switch
type «into-type: is an alias»Alias = struct{ PrevPID int32 }

//tracec:event sched:sched_wakeup
type Foreign «into-type: Foreign has the fields of a struct of another package»generated.Told
`,
		"errors": `package own

import "generated/nosuch"

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID «into-type: PrevPID: its type has errors: undefined: pid»pid
	NextPID «into-type: NextPID: its type has errors: could not import generated/nosuch»nosuch.Pid
	PrevPrio «into-type: PrevPrio: its type has errors: undefined: prio»[]prio
	NextPrio int32
}
`,
		"embedded": `package own

import (
	"generated"
	"time"
)

type told generated.Told

type base struct {
	Time uint64 ` + "`" + `tracec:"@time"` + "`" + `
	Bad string ` + "`" + `tracec:"«into-field: a record has no @comm»@comm"` + "`" + `
	Worse string ` + "`" + `tracec:"«into-field: a record has no @; it has @cpu, @id, @lost, @stream, @task, @time»@"` + "`" + `
}

//tracec:event sched:sched_switch
type Switch struct {
	base
	«into-type: a struct of another package»time.Time
	«into-type: a pointer to base2 is embedded, but nothing sets it: embed base2 itself»*base2
	«into-type: number is embedded but not a struct: give the field a name»number
	«into-type: told is a struct of another package»told
}

//tracec:event sched:sched_wakeup
type Wakeup struct { // whose mistakes are told once
	base
}

type base2 struct{}

//tracec:event sched:sched_waking
type Waking struct {
	Common «into-type: Common is a struct: embed it without the name Common to fill its fields»base2
	«into-field: the event has no Other»Other struct{}
}

type number int32
`,
	} {
		t.Run(name, func(t *testing.T) { mistakes(t, m, u, text, gen.Options{}) })
	}
}

// TestIntoNames checks that declarations and imports of generated code fit the package.
func TestIntoNames(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	text := `package own

// These are names that generated code has, too.
type (
	record   struct{}
	bind     int32
	binary   int32
	events   []int
	dispatch int
	layout   [1]int
	scratch  struct{ e0 int }
)

func ftrace() {}

//tracec:event sched:sched_switch
type Switch struct{ PrevPID bind; NextPID binary; Comm string ` + "`" + `tracec:"prev_comm"` + "`" + ` }

var Use = func(d *%s) { ftrace() }
`
	into(t, m, u, "own", fmt.Sprintf(text, "Decoder"))
	m.build(nil, "./own")
	if err := os.RemoveAll(filepath.Join(m.dir, "own")); err != nil {
		t.Fatal(err)
	}
	mistakes(t, m, u, `package own

//tracec:event sched:sched_switch
type Switch struct{ PrevPID int32 }

type «into-name: the decoder also declares Decoder»Decoder struct{}

func «into-name: the decoder also declares SwitchEvent»SwitchEvent() {}

func «into-name: the decoder also declares Bind»Bind() {}

type «into-name: generated code uses int32 as Go declares it»int32 = int64
`, gen.Options{})
	mistakes(t, m, u, "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n\ntype Decoder struct{}\n", gen.Options{Stem: "Sched"})
	const one = "package renamed\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n"
	into(t, m, u, "renamed", one)
	s, err := gen.ReadStructs(context.Background(), filepath.Join(m.dir, "renamed"), "other_gen")
	if err != nil {
		t.Fatal(err)
	}
	_, messages, err := gen.GenerateInto(u, s, nil, gen.Options{Base: "other_gen"})
	if err != nil || len(messages) != 1 || !strings.Contains(messages[0].Error(), "tracec_gen.go") ||
		!strings.Contains(messages[0].Msg, "another decoder of this package also declares Bind") {
		t.Error("the decoder of an earlier run is in another file:", err, messages)
	}
}

// TestIntoRecordAlone checks structs that use no data of records. A program may need only the
// values that every record has.
func TestIntoRecordAlone(t *testing.T) {
	m := newModule(t)
	shop, err := filepath.Abs("../testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	text := "package %s\n\n//tracec:event %s\ntype Seen struct{ CPU int32 `tracec:\"@cpu\"` }\n\n//tracec:event %s\ntype Empty struct{}\n"
	into(t, m, switches(t), "fixed", fmt.Sprintf(text, "fixed", "sched:sched_switch", "sched:sched_wakeup"))
	into(t, m, hooksOf(t, "files", []string{"files", shop}), "hooks", fmt.Sprintf(text, "hooks", "021", "022"))
	m.build(nil, "./fixed", "./hooks")
}

// TestIntoImports: types may come from packages whose names generated code uses for variables and
// imports, or whose names differ from their directories.
func TestIntoImports(t *testing.T) {
	m := newModule(t)
	for path, text := range map[string]string{
		"h": "package h\n\ntype Pid int32\n", "core/v1": "package v1\n\ntype Pid int32\n",
		"record":  "package record\n\ntype Prio int32\n",
		"go-text": "package text\n\ntype Name string\n", "text": "package text\n\ntype Name string\n",
		"events": "package events\n\ntype Prio int32\n", "dispatch": "package dispatch\n\ntype State int64\n",
	} {
		m.write(path+"/types.go", []byte(text))
	}
	into(t, m, switches(t), "own", `package own

import (
	"generated/core/v1"
	"generated/dispatch"
	"generated/events"
	gotext "generated/go-text"
	"generated/h"
	"generated/record"
	"generated/text"
)

//tracec:event sched:sched_switch
type Switch struct {
	PrevPID  h.Pid
	NextPID  v1.Pid
	PrevPrio record.Prio
	PrevComm text.Name
	NextComm gotext.Name
	NextPrio events.Prio
	PrevState dispatch.State
}
`)
	m.build(nil, "./own")
}

// A package that uses the decoder does not compile before the decoder exists, or with a decoder of
// other structs. Its other errors are reported and do not prevent generating.
func TestIntoBeforeTheFirstTime(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	text := "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n\nvar S, D = SwitchEvent, Decoder{}\n"
	generate := func(text string) (warnings string) {
		t.Helper()
		s := structsIn(t, m, "own", text)
		files, messages, err := gen.GenerateInto(u, s, nil, gen.Options{})
		if err != nil || len(messages) > 0 {
			t.Fatal(err, messages)
		}
		list, err := s.Check(context.Background(), files[0].Content)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			m.write("own/"+f.Name, f.Content)
		}
		for _, w := range list {
			warnings += fmt.Sprintf("%s:%d:%d: %s %s\n", filepath.Base(w.Pos.Filename), w.Pos.Line, w.Pos.Column,
				w.Severity, w.Msg)
		}
		return warnings
	}
	if w := generate(text); w != "" {
		t.Error(w)
	}
	m.build(nil, "./own")
	renamed := strings.ReplaceAll(text, "Switch", "Change") // the existing file names a type that is gone
	if w := generate(renamed); w != "" {
		t.Error(w)
	}
	m.build(nil, "./own")
	if w, want := generate(strings.Replace(renamed, "= ChangeEvent", "= ChangedEvent", 1)),
		"own.go:6:12: warning undefined: ChangedEvent\n"; w != want {
		t.Errorf("got %q, want %q", w, want)
	}
	m.write("own/"+gen.IntoName+".go", nil)
	if w := generate(text); w != "" {
		t.Error("an empty file of the name:", w)
	}
	if w := generate(strings.Replace(text, "package own", "package renamed", 1)); w != "" {
		t.Error("a package of another name than before:", w)
	}
	m.build(nil, "./own")
	m.write("own/own.go", []byte("package own\n\ntype Switch struct {\n"))
	if _, err := gen.ReadStructs(context.Background(), filepath.Join(m.dir, "own"), gen.IntoName); err == nil ||
		!strings.Contains(err.Error(), "own.go:3:22: expected") {
		t.Errorf("a file that does not parse: %v", err)
	}
	if _, err := gen.ReadStructs(context.Background(), "generated/nosuch", gen.IntoName); err == nil {
		t.Error("a package that is not there is none")
	}
}

// Structs of a package may be for several recordings, each with its own decoder. Structs that are
// not selected need not have an event in this recording.
func TestIntoChosen(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	s := structsIn(t, m, "own", "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32 }\n\n"+
		"//tracec:event args:mixed/exit\ntype Mixed struct{ Retval float64 }\n\n//tracec:event scanf\ntype Scanf struct{ Arg1 uint64 }\n")
	for glob, want := range map[string]string{"sched:*": "", "*": "unknown event args:mixed/exit; unknown event scanf",
		"args:*": "unknown event args:mixed/exit", "sca*": "unknown event scanf"} {
		p, err := pattern.Parse(glob)
		if err != nil {
			t.Fatal(err)
		}
		s.Choose(p.Matches)
		_, messages, err := gen.GenerateInto(u, s, nil, gen.Options{})
		if err != nil && want == "" {
			t.Error(glob, err)
		}
		var got []string
		for _, x := range messages {
			got = append(got, x.Msg)
		}
		if d := cmp.Diff(want, strings.Join(got, "; ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", glob, d)
		}
	}
}

// The same input gives the same bytes.
func TestIntoIsStable(t *testing.T) {
	m := newModule(t)
	u := switches(t)
	text := "package own\n\n//tracec:event sched:sched_switch\ntype Switch struct{ PrevPID int32; NextPID int64 }\n"
	into(t, m, u, "own", text)
	first, err := os.ReadFile(filepath.Join(m.dir, "own", gen.IntoName+".go"))
	if err != nil {
		t.Fatal(err)
	}
	into(t, m, u, "own", text)
	second, err := os.ReadFile(filepath.Join(m.dir, "own", gen.IntoName+".go"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(first), string(second)); d != "" {
		t.Error(d)
	}
	if out, err := exec.Command("gofmt", "-l", filepath.Join(m.dir, "own",
		gen.IntoName+".go")).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %s %v", out, err)
	}
}
