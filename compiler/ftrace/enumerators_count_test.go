package ftrace_test

import (
	"regexp"
	"testing"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/internal/testkit/needs"
	runtime "github.com/tracec/tracec/runtime/ftrace"
)

// TestEnumeratorsWithoutValue counts the events whose print fmt contains names that only headers
// define. The numbers are from the time when the tables were made. Without the version there are 8
// such events of the recorded 6.12 and 96 of 7.2, whose modules had no type information for a
// table. With the type information of 6.18, 45 of the 72 remain.
func TestEnumeratorsWithoutValue(t *testing.T) {
	rec, err := runtime.Open(needs.Shared(t, "ftrace/trixie-6.12-amd64/all-events.dat"))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var recorded []ftrace.Source
	for _, f := range rec.Formats() {
		recorded = append(recorded, ftrace.Source{System: f.System, Name: f.System + "/" + f.Name,
			Text: []byte(f.Text)})
	}
	for _, tt := range []struct {
		name    string
		formats []ftrace.Source
		kernel  uint32
		most    int
	}{
		{"6.12", recorded, 0x60c, 0},
		{"7.2", readFormats(t, "sid-amd64"), 0x702, 72},
	} {
		if n := withoutValue(tt.formats, tt.kernel); n > tt.most {
			t.Errorf("%s: %d of %d events have names without a value, want at most %d", tt.name, n, len(tt.formats),
				tt.most)
		}
	}
}

// named is the message about a name that looks like an enumerator.
var named = regexp.MustCompile(`^[A-Z][A-Z0-9_]+ is a name`)

func withoutValue(formats []ftrace.Source, kernel uint32) int {
	target := le64
	target.Kernel = kernel
	_, list := ftrace.Compile("kernel", formats, target)
	events := map[string]bool{}
	for _, d := range list {
		if d.Code == "unknown-name" && named.MatchString(d.Msg) {
			events[d.Pos.Filename] = true
		}
	}
	return len(events)
}
