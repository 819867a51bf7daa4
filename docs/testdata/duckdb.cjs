// duckdb -csv -c SQL: the one way in which pages run the program of DuckDB, by its engine for Node.
'use strict';
const [dir, , ...args] = process.argv.slice(2);
if (args.length !== 3 || args[0] !== '-csv' || args[1] !== '-c') {
  console.error('only duckdb -csv -c SQL');
  process.exit(2);
}
const { DuckDBInstance } = require(dir + '/node_modules/@duckdb/node-api');
const field = v => v === null ? '' : /[",\n]/.test(String(v)) ? '"' + String(v).replaceAll('"', '""') + '"' : String(v);
DuckDBInstance.create().then(d => d.connect()).then(async c => {
  const r = await c.runAndReadAll(args[2]);
  for (const row of [r.columnNames(), ...r.getRows()]) console.log(row.map(field).join(','));
}).catch(e => { console.error(String(e)); process.exit(1); });
