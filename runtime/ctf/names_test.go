package ctf_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/runtime/ctf"
)

// TestOwnNames: each event holds the names of its own thread, unless an event names other threads,
// or the events differ in the names that they hold.
func TestOwnNames(t *testing.T) {
	samples := map[string]fs.FS{"modules": ctftest.Modules(t, `0 100 irq_handler_entry irq=1 name="acpi"
		0 200 sched_switch prev_comm="sh" prev_tid=5 prev_state=1 next_comm="cat" next_tid=6`)}
	for _, group := range []string{"lttng", "perf"} {
		for _, s := range ctftest.Samples(t, group) {
			samples[s.Name] = s.Dir
		}
	}
	streams := func(contexts ...string) fs.FS {
		text := `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le;
packet.header := struct { integer { size = 8; } stream_id; }; };
typealias integer { size = 32; signed = true; } := int;
`
		for i, c := range contexts {
			id := string(rune('0' + i))
			text += "stream { id = " + id + "; event.context := struct { " + c + "}; };\n" +
				"event { name = e" + id + "; id = 0; stream_id = " + id + "; fields := struct { int n; }; };\n"
		}
		return fstest.MapFS{"metadata": {Data: []byte(text)}, "s": {Data: []byte{0}}}
	}
	samples["two"] = streams("int vtid; int vpid; string procname; ", "int vpid; int vtid; string procname; ")
	samples["one without threads"] = streams("int vtid; ", "int cpu; ")
	samples["one without names"] = streams("int vtid; string procname; ", "int vtid; ")
	samples["one without processes"] = streams("int vtid; int vpid; ", "int vtid; ")
	for name, want := range map[string]bool{
		"lttng-2.13.ust-basic": true, "lttng-2.13.ust-channels": true, "samples": false, "modules": false,
		"two": true, "one without threads": true, "one without names": false, "one without processes": false,
	} {
		if samples[name] == nil {
			t.Fatalf("no sample %s", name)
		}
		rec, err := ctf.OpenFS(samples[name], name)
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.OwnNames(); got != want {
			t.Errorf("%s: %v", name, got)
		}
		rec.Close()
	}
}
