package gen_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/dynevents"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// TestDrawnDynamicEventsAgreeWithInterp compares decoders of user-defined events, of every kind and
// type, with interp. TestDynamicEvents of report/tracecmd compares interp with the kernel's
// printers.
func TestDrawnDynamicEventsAgreeWithInterp(t *testing.T) {
	m := newProgram(t)
	files := map[string]string{}
	machines := map[string]tracefile.Machine{"be32": {Word: 4, Big: true}}
	if needs.LongProofs(t) {
		machines["le64"] = tracefile.Machine{Word: 8}
	}
	for target, machine := range machines {
		s := dynevents.NewSource(machine, uint64(machine.Word))
		var events []*dynevents.Event
		var records []*dynevents.Record
		for range needs.Cases(t, 30, 150) {
			e := s.Event()
			events = append(events, e)
			for range 5 {
				records = append(records, s.Record(e))
			}
		}
		file := filepath.Join(t.TempDir(), "t.dat")
		if err := os.WriteFile(file, s.File(events, records), 0o666); err != nil {
			t.Fatal(err)
		}
		u, err := unit.Load([]string{target, "recording", file, "1"})
		if err != nil {
			t.Fatal(err)
		}
		pkg := "p" + strconv.Itoa(len(m.packages))
		files[pkg] = file
		m.generate(u, gen.Options{Package: pkg, Text: true, Split: needs.LongProofs(t)})
	}
	afterAll(t)
	bin := m.start(t)
	for _, pkg := range m.packages {
		agree(t, 1, bin, "recorded", "text", pkg, files[pkg])
		if needs.LongProofs(t) { // they take a package for each system
			agree(t, 1, bin, "recorded", "values", pkg, files[pkg])
		}
	}
}
