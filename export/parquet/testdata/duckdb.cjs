// Runs queries and prints a JSON array with {rows} or {error} for each. The queries are a JSON array
// of strings on standard input. Rows are arrays of strings and nulls. TRACEC_DUCKDB names the folder
// with @duckdb/node-api.
const { createRequire } = require('node:module');
const { DuckDBInstance } = createRequire(process.env.TRACEC_DUCKDB + '/')('@duckdb/node-api');
const text = (v) => (v === null || v === undefined ? null : typeof v === 'object' ? JSON.stringify(v) : String(v));
(async () => {
  const queries = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const out = [];
  for (const q of queries) {
    try {
      const start = performance.now();
      const rows = (await connection.runAndReadAll(q)).getRowsJson().map((r) => r.map(text));
      out.push({ rows, ms: performance.now() - start });
    } catch (e) {
      out.push({ error: String(e.message) });
    }
  }
  process.stdout.write(JSON.stringify(out));
})();
