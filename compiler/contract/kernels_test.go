package contract_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/contract"
	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// kernel holds the formats of one kernel and the machine on which it runs.
type kernel struct {
	name    string
	target  ir.Target
	formats map[string]string // by system:name
}

// side describes the kernel as tracec diff does.
func (k *kernel) side() *contract.Side {
	d := tracecmd.NewDescriptions()
	d.Target = k.target
	for _, key := range slices.Sorted(maps.Keys(k.formats)) {
		system, _, _ := strings.Cut(key, ":")
		d.Files = append(d.Files, compiler.Source{System: system, Name: key, Text: []byte(k.formats[key])})
	}
	return d.Side(k.name)
}

// field is a field of a format file, parsed by a separate short parser.
type field struct {
	name, typ          string
	offset, size, sign int
	dynamic            bool
}

var (
	fieldLine = regexp.MustCompile(`(?m)^\s+field:(.*);\s+offset:(\d+);\s+size:(\d+);\s+signed:(\d);`)
	lastName  = regexp.MustCompile(`([A-Za-z_]\w*)\s*((?:\[[^\]]*\])*)\s*$`)
)

// wide returns the width of the field. For a stack it is the width of an entry, because the number
// of entries differs by record.
func (f field) wide() int {
	if f.name == "caller" && strings.Contains(f.typ, "[8]") {
		return f.size / 8
	}
	return f.size
}

func fieldsOf(text string) map[string]field {
	fields := map[string]field{}
	for _, m := range fieldLine.FindAllStringSubmatch(text, -1) {
		at := lastName.FindStringSubmatchIndex(m[1])
		if at == nil {
			continue
		}
		f := field{name: m[1][at[2]:at[3]], typ: strings.Join(strings.Fields(m[1][:at[2]]+m[1][at[4]:at[5]]), " ")}
		f.offset, _ = strconv.Atoi(m[2])
		f.size, _ = strconv.Atoi(m[3])
		f.sign, _ = strconv.Atoi(m[4])
		f.dynamic = strings.HasPrefix(m[1], "__data_loc") || strings.HasPrefix(m[1], "__rel_loc")
		if !strings.HasPrefix(f.name, "common_") {
			key := f.name
			for fields[key].name != "" { // amdgpu_vm_grab_id has a text and a number with one name
				key += " again"
			}
			fields[key] = f
		}
	}
	return fields
}

func idOf(text string) string {
	_, after, _ := strings.Cut(text, "\nID:")
	id, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(id)
}

func printOf(text string) string {
	_, after, _ := strings.Cut(text, "\nprint fmt:")
	return strings.Join(strings.Fields(after), " ")
}

// expected returns the changes between two formats, except for names of values.
func expected(old, new string) (list []string) {
	say := func(k contract.Kind, field string, a, b any) {
		list = append(list, fmt.Sprint(k, " ", field, " ", a, " ", b))
	}
	a, b := fieldsOf(old), fieldsOf(new)
	for key, x := range a {
		name := x.name
		y, ok := b[key]
		if !ok {
			say(contract.FieldRemoved, name, "", "")
			continue
		}
		if x.offset != y.offset {
			say(contract.Moved, name, x.offset, y.offset)
		}
		if x.size < y.size {
			say(contract.Widened, name, x.wide(), y.wide())
		}
		if x.size > y.size {
			say(contract.Narrowed, name, x.wide(), y.wide())
		}
		if x.sign != y.sign {
			say(contract.Sign, name, "", "")
		}
		if x.typ != y.typ {
			say(contract.Type, name, "", "")
		}
	}
	for key, y := range b {
		if _, ok := a[key]; !ok {
			say(contract.FieldAdded, y.name, "", "")
		}
	}
	if printOf(old) != printOf(new) {
		say(contract.Text, "", "", "")
	}
	if idOf(old) != idOf(new) {
		say(contract.ID, "", idOf(old), idOf(new))
	}
	slices.Sort(list)
	return list
}

var (
	symbolic = regexp.MustCompile(`__print_(?:symbolic|flags)\(REC->(\w+),((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)`)
	pair     = regexp.MustCompile(`\{ *(0[xX][0-9a-fA-F]+|-?\d+)[uUlL]*, *"((?:[^"\\]|\\.)*)" *\}`)
)

// namesOf returns the values that the text of an event names, for fields whose tables are plain
// lists of numbers. complex has the fields with other tables.
func namesOf(text string) (names map[string]uint64, complex map[string]bool) {
	names, complex = map[string]uint64{}, map[string]bool{}
	_, text, _ = strings.Cut(text, "\nprint fmt:")
	rest := symbolic.ReplaceAllStringFunc(text, func(call string) string {
		m := symbolic.FindStringSubmatch(call)
		pairs := pair.FindAllStringSubmatch(m[2], -1)
		if len(pairs) != strings.Count(m[2], "{") {
			complex[m[1]] = true
		}
		for _, p := range pairs {
			n, err := strconv.ParseInt(p[1], 0, 64)
			v := uint64(n)
			if err != nil {
				v, err = strconv.ParseUint(p[1], 0, 64)
			}
			if old, again := names[m[1]+" "+p[2]]; err != nil || again && old != v || strings.Contains(p[2], `\`) {
				complex[m[1]] = true
			}
			names[m[1]+" "+p[2]] = v
		}
		return ""
	})
	for _, m := range regexp.MustCompile(`REC->(\w+)`).FindAllStringSubmatch(rest, -1) {
		if strings.Contains(rest, "__print_") { // a form that this parser cannot read
			complex[m[1]] = true
		}
	}
	return names, complex
}

// expectedNames returns the names of values that differ, for fields that have plain tables on both
// sides. rest is found without the fields that have other tables.
func expectedNames(old, new string, found map[string]string) (list, rest map[string]string) {
	if strings.Contains(old+new, "trace_print_flags_u64") { // how 32-bit kernels write tables of 64-bit numbers
		return nil, nil
	}
	a, x := namesOf(old)
	b, y := namesOf(new)
	list = map[string]string{}
	for key, v := range a {
		w, ok := b[key]
		switch {
		case !ok:
			list[key] = string(contract.EnumRemoved)
		case v != w:
			list[key] = string(contract.EnumChanged)
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			list[key] = string(contract.EnumAdded)
		}
	}
	other := func(key, _ string) bool {
		field, _, _ := strings.Cut(key, " ")
		return field == "" || x[field] || y[field] // without a field it is a table of constants
	}
	maps.DeleteFunc(list, other)
	maps.DeleteFunc(found, other)
	return list, found
}

// foundNames returns the names of values of a result.
func foundNames(r *contract.Result) map[string]string {
	list := map[string]string{}
	for _, c := range r.Changes {
		switch c.Kind {
		case contract.EnumAdded, contract.EnumRemoved, contract.EnumChanged:
			text := c.Old + c.New
			list[c.Field+" "+text[:strings.LastIndexByte(text[:max(strings.IndexByte(text, '='), 0)+1],
				'=')]] = string(c.Kind)
		}
	}
	return list
}

// found returns the changes of a result in the same form.
func found(r *contract.Result) (list []string) {
	for _, c := range r.Changes {
		switch c.Kind {
		case contract.EnumAdded, contract.EnumRemoved, contract.EnumChanged:
			continue
		case contract.Moved, contract.Widened, contract.Narrowed, contract.ID:
			list = append(list, fmt.Sprint(c.Kind, " ", c.Field, " ", c.Old, " ", c.New))
		default:
			list = append(list, fmt.Sprint(c.Kind, " ", c.Field, "  "))
		}
	}
	slices.Sort(list)
	return list
}

// TestKernels checks that every difference between two kernels is also found by another reader of
// format files, and the reverse. For every event, generated decoders of one kernel must treat
// records of the other kernel as the class requires.
func TestKernels(t *testing.T) {
	kernels := kernelsOf(t)
	pairs := 0
	for _, old := range kernels {
		for _, new := range kernels {
			if old == new {
				continue
			}
			if pairs++; pairs%9 != 1 && !needs.LongProofs(t) && len(old.formats)+len(new.formats) > 1000 {
				continue
			}
			t.Run(old.name+" "+new.name, func(t *testing.T) {
				d := contract.Compare(old.side(), new.side(), contract.Options{Layout: gen.Layout})
				seen := map[string]bool{}
				for i := range d.Results {
					r := &d.Results[i]
					key := r.Label()
					seen[key] = true
					a, inOld := old.formats[key]
					b, inNew := new.formats[key]
					switch {
					case !inOld && (r.Class != contract.Added || !inNew):
						t.Errorf("%s: %v, and the old kernel does not have it", key, r.Class)
					case inOld && !inNew:
						if r.Class != contract.Unbound || !errors.Is(r.Err, bind.ErrMissing) || len(r.Changes) != 1 ||
							r.Changes[0].Kind != contract.EventRemoved {
							t.Errorf("%s is gone: %v, %v, %v", key, r.Class, r.Err, r.Changes)
						}
					case inOld:
						if diff := cmp.Diff(expected(a, b), found(r)); diff != "" {
							t.Errorf("%s (-expected +found):\n%s", key, diff)
						}
						if want, names := expectedNames(a, b, foundNames(r)); want != nil {
							if diff := cmp.Diff(want, names); diff != "" {
								t.Errorf("%s: names of values (-expected +found):\n%s", key, diff)
							}
						}
					}
				}
				for _, k := range []*kernel{old, new} {
					for key := range k.formats {
						if !seen[key] {
							t.Errorf("%s of %s is not in the result", key, k.name)
						}
					}
				}
				t.Log(d.Summary())
				hold(t, d, new)
			})
		}
	}
	if pairs < 6 {
		t.Errorf("only %d pairs", pairs)
	}
}

// hold binds a decoder with all events of the old kernel to the new one.
func hold(t *testing.T, d *contract.Diff, new *kernel) {
	compiled := map[string]bind.Event{}
	for i := range d.Old.Events {
		e := &d.Old.Events[i]
		if layout, err := gen.Layout(&d.Old.Unit, e.Compile()); err == nil {
			compiled[e.Layout.Label()] = layout
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range d.Results {
		r := &d.Results[i]
		layout, ok := compiled[r.Label()]
		if !ok {
			continue // of the new kernel, or not a struct
		}
		decoder, err := bindTo(d.New.Recorded, layout)
		switch r.Class {
		case contract.Binds, contract.Relocates:
			if err != nil {
				t.Errorf("%s: %v, and Bind returns %v", r.Label(), r.Class, err)
				continue
			}
			decode(t, random, r, layout, new, decoder)
		case contract.Loses:
			rest := layout
			rest.Fields = slices.DeleteFunc(slices.Clone(layout.Fields),
				func(f bind.Field) bool { return slices.Contains(r.Lost, f.Name) })
			if _, without := bindTo(d.New.Recorded, rest); err == nil || len(r.Lost) == 0 || len(rest.Fields) == 0 ||
				without != nil {
				t.Errorf("%s loses %v: Bind returns %v, and without them %v", r.Label(), r.Lost, err, without)
			}
		case contract.Unbound:
			if err == nil {
				t.Errorf("%s: unbound, and Bind has no error", r.Label())
			}
		default:
			t.Errorf("%s: %v", r.Label(), r.Class)
		}
	}
}

// target returns the data of a record as its event.
type target struct{ data []byte }

// Decode implements bind.Target.
func (g *target) Decode(_ int, data []byte, _ *record.Record, _ *record.None, _ *render.Env) any {
	g.data = data
	return &g.data
}

// bindTo binds one event.
func bindTo(src bind.Source, e bind.Event) (*bind.Decoder[record.None], error) {
	p := bind.Package[record.None]{Events: []bind.Event{e}, New: func() bind.Target[record.None] { return new(target) }}
	return bind.Bind(bind.Container[record.None]{Source: src}, []bind.Package[record.None]{p})
}

// decode decodes a random record of the new kernel and compares its numbers with the formats.
func decode(
	t *testing.T, random *rand.Rand, r *contract.Result, layout bind.Event, new *kernel, d *bind.Decoder[record.None],
) {
	data := make([]byte, 2048)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	now := fieldsOf(new.formats[r.Label()])
	for _, f := range now {
		if f.dynamic { // place of a Dynamic field: some bytes at the end of the record
			clear(data[f.offset : f.offset+f.size])
		}
	}
	id, _ := strconv.Atoi(idOf(new.formats[r.Label()]))
	rec := record.Record{ID: uint32(id), Data: slices.Clone(data)}
	ev, ok := d.Decode(&rec, nil).(*[]byte)
	if !ok {
		t.Errorf("%s: a record is not decoded", r.Label())
		return
	}
	inPlace := len(*ev) == len(data) && &(*ev)[0] == &rec.Data[0]
	if inPlace != (r.Class == contract.Binds) {
		t.Errorf("%s: %v, and the record is decoded in place: %v", r.Label(), r.Class, inPlace)
	}
	for _, f := range layout.Fields {
		n, ok := now[f.Name]
		if f.Kind != bind.Int || !ok || n.dynamic || n.size > 8 || strings.Contains(n.typ, "[") {
			continue
		}
		want := number(data[n.offset:][:n.size], n.sign == 1, new.target.BigEndian)
		got := number((*ev)[f.Offset:][:f.Size], f.Signed, bind.HostBigEndian())
		if n.size == f.Size { // the bits are kept, whatever the sign in the program is
			shift := 64 - 8*n.size
			got, want = got<<shift, want<<shift
		}
		if got != want {
			t.Errorf("%s.%s: %#x, want %#x", r.Label(), f.Name, got, want)
		}
	}
}

// number reads a number, with its sign.
func number(b []byte, signed, big bool) int64 {
	b = slices.Clone(b)
	if big {
		slices.Reverse(b)
	}
	var wide [8]byte
	if signed && b[len(b)-1] >= 0x80 {
		wide = [8]byte(slices.Repeat([]byte{0xff}, 8))
	}
	copy(wide[:], b)
	return int64(binary.LittleEndian.Uint64(wide[:]))
}

// kernelsOf returns the kernels of recordings in testdata, and the kernels of ../shared with all
// their formats.
func kernelsOf(t *testing.T) (list []*kernel) {
	t.Helper()
	for _, name := range []string{"amd64-extract", "i386-userstack", "made-flags"} {
		rec, err := ftrace.Open(filepath.Join("../../testdata/ftrace", name+".dat"))
		if err != nil {
			t.Fatal(err)
		}
		info := rec.Info()
		k := &kernel{name: name, formats: map[string]string{},
			target: ir.Target{BigEndian: info.ByteOrder == binary.ByteOrder(binary.BigEndian), WordSize: info.WordSize}}
		for _, f := range rec.Formats() {
			k.formats[f.System+":"+f.Name] = f.Text
		}
		rec.Close()
		list = append(list, k)
	}
	for name, target := range map[string]ir.Target{
		"bookworm-6.1-amd64": {WordSize: 8}, "bookworm-6.1-arm64": {WordSize: 8}, "bookworm-6.1-i386": {WordSize: 4},
		"bookworm-6.1-s390x": {WordSize: 8, BigEndian: true}, "sid-amd64": {WordSize: 8},
	} {
		if !needs.LongProofs(t) && name != "bookworm-6.1-s390x" && name != "bookworm-6.1-i386" {
			continue
		}
		path := filepath.Join(needs.SharedData(t), "ftrace", name, "events-all.tar.zst")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			t.Logf("%s is not there", path)
			continue
		}
		d := tracecmd.NewDescriptions()
		err := d.Finish(&report.Job{Job: sources.Job{Path: path}},
			func(job *report.Job) error { return d.Add(t.Context(), job) })
		if err != nil {
			t.Fatal(err)
		}
		k := &kernel{name, target, map[string]string{}}
		for _, f := range d.Files {
			k.formats[f.System+":"+sources.FormatName(f.Text)] = string(f.Text)
		}
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b *kernel) int { return strings.Compare(a.name, b.name) })
	return list
}
