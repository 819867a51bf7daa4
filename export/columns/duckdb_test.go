package columns_test

import (
	"cmp"
	"fmt"
	"math/big"
	"os"
	"slices"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/runtime/record"
)

// TestDuckDB: DuckDB reads the same events, times and threads as package tracec.
func TestDuckDB(t *testing.T) {
	for _, name := range []string{
		"hostile", "ftrace/amd64-syscalls.dat", "ftrace/amd64-markers.dat", "ftrace/s390x-markers.dat",
		"aix/shop64.trc", "uftrace/cpp-auto/data.tar.gz", "uftrace/events/data.tar.gz",
		"lttng/realwriter/ust26-le64-packed.tar.xz",
	} {
		var rec record.Recording
		if name == "hostile" {
			rec = exporttest.Hostile(t)
		} else {
			rec = exporttest.Open(t, "../../testdata/"+name)
		}
		want := summary(newReader(t, rec))
		json, table := t.TempDir()+"/events.ndjson", t.TempDir()+"/events.csv"
		toFile(t, json, func(f *os.File) error { return ndjson.Write(f, newReader(t, rec), ndjson.Options{}) })
		o := columns.Options{Text: true}
		toFile(t, table, func(f *os.File) error { return csv.Write(f, newReader(t, rec), csv.Options{Options: o}) })
		const query = "select event, comm, task, count(*), sum(time), sum(lost) from %s group by all"
		got := exporttest.DuckDB(t,
			fmt.Sprintf(query, "read_json('"+json+
				"', columns={time: 'UBIGINT', task: 'INTEGER', comm: 'VARCHAR', event: 'VARCHAR', lost: 'BIGINT', fields: 'JSON'})"),
			fmt.Sprintf(query, "read_csv('"+table+"', types={event: 'VARCHAR', comm: 'VARCHAR'})"))
		for i, rows := range got {
			var lines []string
			for _, r := range rows {
				line := ""
				for _, v := range r {
					if v == nil {
						line += "null|"
					} else {
						line += *v + "|"
					}
				}
				lines = append(lines, line)
			}
			slices.Sort(lines)
			if !slices.Equal(lines, want) {
				t.Errorf("%s, format %d: DuckDB reads\n%q\nwant\n%q", name, i, lines, want)
			}
		}
	}
}

func newReader(t *testing.T, rec record.Recording) *tracec.Reader {
	t.Helper()
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func toFile(t *testing.T, name string, write func(*os.File) error) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.Or(write(f), f.Close()); err != nil {
		t.Fatal(name, err)
	}
}

// summary returns the wanted results of TestDuckDB's queries.
func summary(r *tracec.Reader) []string {
	type key struct {
		event, comm string
		task        int32
	}
	type sums struct {
		events, lost int64
		time         big.Int
	}
	all := map[key]*sums{}
	for ev := range r.All() {
		k := key{ev.Type.Name, ev.Comm(), ev.Task}
		if all[k] == nil {
			all[k] = new(sums)
		}
		all[k].events++
		all[k].lost += ev.Lost
		all[k].time.Add(&all[k].time, new(big.Int).SetUint64(ev.Time))
	}
	var lines []string
	for k, s := range all {
		comm, task := string(columns.AppendValid(nil, k.comm)), fmt.Sprint(k.task)
		if comm == "" {
			comm = "null"
		}
		if k.task < 0 {
			task = "null"
		}
		lines = append(lines, fmt.Sprintf("%s|%s|%s|%d|%s|%d|", columns.AppendValid(nil, k.event), comm, task, s.events,
			&s.time, s.lost))
	}
	slices.Sort(lines)
	return lines
}
