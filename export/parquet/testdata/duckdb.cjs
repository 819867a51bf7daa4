// Runs the queries that standard input has as a JSON array of strings and prints a JSON array with {rows} or {error} of each; rows are arrays of
// strings and nulls. @duckdb/node-api is taken from the folder in TRACEC_DUCKDB.
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
