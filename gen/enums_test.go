package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
)

// The names of types and constants for template values come from labels and texts. They are unique,
// and consist of words, whatever the text is.
func TestNamesOfTemplateValues(t *testing.T) {
	templates := filepath.Join(t.TempDir(), "odd.trcfmt")
	text := `010 1.0 L=APPL "JOB" "is " $HD, 1 "new", 2 "new", 3 "->", 4 "2nd try", 5 "a text of so many words that nobody wants to type them all"
011 1.0 L=APPL "DISK" "state " X1, 1 "on", 100 "never", 2 "off" "disk " X2, 1 "here", 2 "there"
012 1.0 L=APPL "MODE" BITFLAGS $D1, 1 "read ", 2 "write ", & C 4 "slow ", & C 8 "fast " BITFLAGS $D2, 1 "read "
013 1.0 L=APPL "BIT" "READ " B0.1, 1 "read"
014 1.0 L=APPL "SORT" "kind " D4, -1 "none", 1 "one"
`
	if err := os.WriteFile(templates, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := gen.Generate(hooksOf(t, "odd.trcfmt", []string{"files", templates}), gen.Options{Package: "odd"})
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for line := range strings.Lines(string(files[0].Content)) {
		line = regexp.MustCompile(` +`).ReplaceAllString(strings.TrimSpace(line), " ")
		if regexp.MustCompile(`^(type \w+(Value|Bits) |\w+ \w+(Value|Bits) = |\w+ (\w+Value|\w+Bits|uint8) // (B|X|D|\$))`).MatchString(line) {
			have = append(have, line)
		}
	}
	want := `Is JobIsValue // $HD
State DiskStateValue // X1
Disk DiskValue // X2
D1 ModeD1Bits // $D1
D2 ModeD2Bits // $D2
READ uint8 // B0.1
Kind SortKindValue // D4
type DiskValue uint16
DiskHere DiskValue = 1 // here
DiskThere DiskValue = 2 // there
type DiskStateValue uint8
DiskStateOn DiskStateValue = 1 // on
DiskStateOff DiskStateValue = 2 // off
type JobIsValue uint16
JobIsNew JobIsValue = 1 // new
JobIsNewX2 JobIsValue = 2 // new
JobIsX3 JobIsValue = 3 // "->"
JobIs2ndTry JobIsValue = 4 // 2nd try
JobIsATextOfSoManyWordsThatNobodyWantsTo JobIsValue = 5
type ModeD1Bits uint64
ModeD1Read ModeD1Bits = 1 // read
ModeD1Write ModeD1Bits = 2 // write
ModeD1Slow ModeD1Bits = 4 // slow, of the bits 0xc
ModeD1Fast ModeD1Bits = 8 // fast, of the bits 0xc
type ModeD2Bits uint64
ModeD2Read ModeD2Bits = 1 // read
type SortKindValue int32
SortKindNone SortKindValue = -1 // none
SortKindOne SortKindValue = 1 // one`
	if got := strings.Join(have, "\n"); got != want {
		t.Errorf("have\n%s\nwant\n%s", got, want)
	}
}
