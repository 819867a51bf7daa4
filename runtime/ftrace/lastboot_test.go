package ftrace_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// The locations of the kernel and a module: after the boot, and when an instance recorded.
const (
	symbolsNow = "ffffffff81000000 T _text\nffffffff81000100 T core\nffffffff81000200 T core_end\nffffffff81200000 B _end\n" +
		"ffffffffc0100000 t init\t[mod]\nffffffffc0100040 t in_mod\t[mod]\nffffffffc0100080 t mod_end\t[mod]\n"
	modulesNow = "mod 16384 0 - Live 0xffffffffc0100000\nhidden 16384 0 - Live 0x0000000000000000\n"
)

// TestLastBoot checks that symbols are found by the addresses of the recorded boot, and symbols of
// modules by the address of each module. An address that is valid in both boots has no name.
func TestLastBoot(t *testing.T) {
	for _, tt := range []struct {
		name, info string
		both       bool // another buffer recorded in this boot
		want       map[uint64]string
	}{
		{"moved", "ffffffff9a000000\t[kernel]\nffffffffc0500000\tmod\nffffffffc0600000\tgone\n", false,
			map[uint64]string{
				0xffffffff9a000104: "core+0x4", 0xffffffffc0500044: "in_mod+0x4", 0xffffffff81000104: "",
				0xffffffffc0100044: "", 0xffffffffc0600004: "",
				0xffffffff99ffffff: "", 0xffffffffc0504001: "",
			}},
		{"both boots", "ffffffff9a000000\t[kernel]\n", true, map[uint64]string{
			0xffffffff9a000104: "core+0x4", 0xffffffff81000104: "core+0x4", 0xffffffffc0100044: "in_mod+0x4",
		}},
		{"overlapping boots", "ffffffff81100000\t[kernel]\n", true, map[uint64]string{
			0xffffffff81000104: "core+0x4", 0xffffffff81100104: "", 0xffffffff81200104: "core_end+0xfff04",
		}},
		{"this boot", "# Current\n", false, map[uint64]string{0xffffffff81000104: "core+0x4"}},
		{"kernel 6.12", "text delta:\t-419430400\ndata delta:\t-419430400\n", false,
			map[uint64]string{0xffffffff9a000104: "core+0x4", 0xffffffff81000104: ""}},
		{"kernel 6.12, this boot", "text delta:\t0\ndata delta:\t0\n", false,
			map[uint64]string{0xffffffff81000104: "core+0x4"}},
	} {
		m := tracefile.Machine{Word: 8}
		page := &fstest.MapFile{Data: m.NewPage(4096, 1).Event(0, m.Payload(100, 1, 7)).Done()}
		text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
		dir := fstest.MapFS{
			"events/header_page": text(m.HeaderPage(4096)), "events/s/e/format": text(tracefile.Format("e", 100)),
			"kallsyms": text(symbolsNow),
			"modules":  text(modulesNow), "instances/old/last_boot_info": text(tt.info),
			"instances/old/per_cpu/cpu0/trace_pipe_raw": page,
		}
		if tt.both {
			dir["per_cpu/cpu0/trace_pipe_raw"] = page
		}
		rec, err := ftrace.OpenFS(dir, "copy")
		if err != nil {
			t.Fatal(err)
		}
		for addr, want := range tt.want {
			got := ""
			if name, start, _, _, ok := rec.Symbols().Lookup(addr); ok {
				got = fmt.Sprintf("%s+%#x", name, addr-start)
			}
			if got != want {
				t.Errorf("%s: %#x is %q, want %q", tt.name, addr, got, want)
			}
		}
		if d := rec.Damage(); len(d) > 0 {
			t.Errorf("%s: %v", tt.name, d)
		}
	}
}

// TestLastBootDamage checks that without _text, symbols have no names: the distance is unknown, and
// names of wrong functions would be worse.
func TestLastBootDamage(t *testing.T) {
	for info, symbols := range map[string]string{"ffffffff9a000000\t[kernel]\n": "ffffffff81000100 T core\n",
		"what\n": symbolsNow} {
		m := tracefile.Machine{Word: 8}
		rec, err := ftrace.OpenFS(fstest.MapFS{
			"events/header_page": {Data: []byte(m.HeaderPage(4096))}, "kallsyms": {Data: []byte(symbols)},
			"last_boot_info": {Data: []byte(info)},
		}, "copy")
		if err != nil {
			t.Fatal(err)
		}
		if name, _, _, _, ok := rec.Symbols().Lookup(0xffffffff81000100); ok || len(rec.Damage()) != 1 {
			t.Errorf("%q: %s, %v", info, name, rec.Damage())
		}
	}
}
