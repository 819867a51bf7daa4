package parquet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// answer is DuckDB's answer to a query.
type answer struct {
	Rows  [][]*string
	Error string
	MS    float64
}

// duckdb runs queries. It skips the test if DuckDB is not installed.
func duckdb(t *testing.T, queries ...string) []answer {
	t.Helper()
	dir := needs.Consumer(t, "TRACEC_DUCKDB", "duckdb", "node_modules/@duckdb/node-api")
	in, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/duckdb.cjs")
	cmd.Env = append(os.Environ(), "TRACEC_DUCKDB="+dir)
	cmd.Stdin = bytes.NewReader(in)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, messages.String())
	}
	var list []answer
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	for i, a := range list {
		if a.Error != "" {
			t.Fatalf("%s: %s", queries[i], a.Error)
		}
	}
	return list
}

// from returns the FROM clause for a data set.
func from(glob string) string {
	return fmt.Sprintf("read_parquet(%s, hive_partitioning=true, hive_types_autocast=false, union_by_name=true)",
		quote(glob))
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// files returns the list of an event's files for read_parquet.
func files(dir string, m *parquet.Manifest, event string) string {
	var names []string
	for _, e := range m.Sources {
		for _, f := range e.Files {
			if f.Event == event {
				names = append(names, quote(filepath.Join(dir, filepath.FromSlash(f.Path))))
			}
		}
	}
	return "read_parquet([" + strings.Join(names, ", ") + "], union_by_name=true)"
}

// query is a query for DuckDB and the check of its answer. One process runs all queries of a test,
// because starting it takes longer than the queries.
type query struct {
	sql   string
	check func(answer)
}

func ask(t *testing.T, queries []query) {
	t.Helper()
	var list []string
	for _, q := range queries {
		list = append(list, q.sql)
	}
	for i, a := range duckdb(t, list...) {
		queries[i].check(a)
	}
}

// TestDuckDB: DuckDB finds the same values in tables as the Go decoders, by the names of events in
// the paths.
func TestDuckDB(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	var queries []query
	for _, path := range recordings(t) {
		w := write(t, path)
		dir, m, want := w.dir, w.manifest, w.want
		if len(want) == 0 {
			continue
		}
		have := tables{}
		queries = append(queries, query{"SELECT event, count(*), min(time), max(time) FROM " +
			from(dir+"/*/*/*/*.parquet") + " GROUP BY ALL", func(a answer) {
			for _, row := range a.Rows {
				s := have.of(*row[0])
				s.rows, s.lo, s.hi = atoi(row[1]), uint64(atoi(row[2])), uint64(atoi(row[3]))
			}
		}})
		for event, w := range want {
			columns := []string{"1"}
			for _, c := range sortedKeys(w.sum) {
				columns = append(columns, fmt.Sprintf(`count("%s"), sum("%s"::HUGEINT)`, c, c))
			}
			queries = append(queries, query{"SELECT " + strings.Join(columns, ", ") + " FROM " + files(dir, m, event),
				func(a answer) {
					for j, c := range sortedKeys(w.sum) {
						sum := &big.Int{}
						if text := a.Rows[0][2+2*j]; text != nil {
							sum.SetString(*text, 10)
						}
						have.of(event).count[c], have.of(event).sum[c] = atoi(a.Rows[0][1+2*j]), sum
					}
				}})
		}
		last := &queries[len(queries)-1]
		check := last.check
		last.check = func(a answer) {
			check(a)
			t.Run(filepath.Base(path), func(t *testing.T) { compareSums(t, want, have) })
		}
	}
	ask(t, queries)
}

func atoi(s *string) int64 {
	if s == nil {
		return -1
	}
	n, err := strconv.ParseInt(*s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
