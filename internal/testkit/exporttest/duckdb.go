package exporttest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
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

// DuckDB returns the rows of DuckDB's answer to each query. A null value is nil. It skips the test
// if DuckDB is not installed.
func DuckDB(t testing.TB, queries ...string) [][][]*string {
	t.Helper()
	dir := needs.Consumer(t, "TRACEC_DUCKDB", "duckdb", "node_modules/@duckdb/node-api")
	node := needs.Program(t, "node", "apt-get install nodejs")
	list, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", runQueries, dir, string(list))
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
