package exporttest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// runQueries prints the rows of each query as JSON: values are strings or null.
const runQueries = `
const { DuckDBInstance } = require(process.argv[1] + '/node_modules/@duckdb/node-api')
DuckDBInstance.create().then(d => d.connect()).then(async c => {
	const all = []
	for (const q of JSON.parse(process.argv[2])) {
		const rows = (await c.runAndReadAll(q)).getRows()
		all.push(rows.map(r => r.map(v => v === null ? null : String(v))))
	}
	console.log(JSON.stringify(all))
}).catch(e => { console.error(String(e)); process.exit(1) })`

// DuckDB returns the rows that DuckDB answers each query with. A value that is null is nil. It skips the test where DuckDB is not installed.
func DuckDB(t testing.TB, queries ...string) [][][]*string {
	t.Helper()
	dir := os.Getenv("TRACEC_DUCKDB")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "consumers", "duckdb")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules/@duckdb/node-api")); err != nil {
		t.Skip("no DuckDB: npm install @duckdb/node-api, and TRACEC_DUCKDB is the folder")
	}
	list, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "-e", runQueries, dir, string(list))
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, messages.String())
	}
	var rows [][][]*string
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}
