// trace_processor_shell -q FILE TRACE: the one way in which pages run the program of Perfetto, by its engine as WebAssembly.
'use strict';
const [dir, engine, ...args] = process.argv.slice(2);
if (args.length !== 3 || args[0] !== '-q') {
  console.error('only trace_processor_shell -q FILE TRACE');
  process.exit(2);
}
const fs = require('fs'), { execFileSync } = require('child_process');
const job = JSON.stringify({ trace: args[2], queries: [fs.readFileSync(args[1], 'utf8')] });
const answer = JSON.parse(execFileSync('node', [engine, dir + '/v55'], { input: job + '\n', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] }).toString());
const errors = [...answer.errors, ...answer.results.map(r => r.error).filter(Boolean)];
if (errors.length) {
  console.error(errors.join('\n'));
  process.exit(1);
}
const text = v => v === null ? '"[NULL]"' : /^-?[0-9.e+-]+$/.test(String(v)) ? String(v) : '"' + v + '"';
for (const r of answer.results) {
  console.log(r.columns.map(c => '"' + c + '"').join(','));
  for (const row of r.rows) console.log(row.map(text).join(','));
}
