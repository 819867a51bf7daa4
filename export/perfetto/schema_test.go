package perfetto_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestSchema compares ftrace.txt with its source, the table of Perfetto's .proto files.
func TestSchema(t *testing.T) {
	table, err := os.ReadFile(needs.Shared(t, "perfetto/ftrace.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	letters := map[string]string{"int32": "i", "int64": "l", "uint32": "u", "uint64": "v", "string": "s", "bytes": "b"}
	of := map[string]*kind{} // by message
	var rows [][]string
	kinds := schema(t)
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		rows = append(rows, row)
		if row[0] != "FtraceEvent" || !strings.HasSuffix(row[3], "FtraceEvent") {
			continue
		}
		n, _ := strconv.Atoi(row[2])
		k := kinds[protowire.Number(n)]
		if k == nil || k.name != row[1] {
			t.Fatalf("%v is %v", row, k)
		}
		of[row[3]] = k
	}
	fields := 0
	for _, row := range rows {
		k, letter := of[row[0]], letters[row[3]]
		if k == nil || letter == "" {
			continue
		}
		if len(row) > 4 && row[4] == "repeated" {
			letter += "*"
		}
		n, _ := strconv.Atoi(row[2])
		if m := k.members[protowire.Number(n)]; m.name != row[1] || m.kind != letter {
			t.Errorf("%v is %v", row, m)
		}
		fields++
	}
	for _, k := range of {
		fields -= len(k.members)
	}
	if len(of) != len(kinds) || fields != 0 {
		t.Errorf("%d messages of %d, %d fields more than there are", len(of), len(kinds), fields)
	}
}
