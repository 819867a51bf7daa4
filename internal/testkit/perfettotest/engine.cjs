// Loads traces into the trace processor of Perfetto, its WebAssembly in the folder of the last argument, and answers SQL.
//
// Each line of the standard input is a JSON object: {"trace": file, "queries": [sql, …]}; each line of the output is its answer:
// {"errors": [message, …], "results": [{"error": message, "columns": [name, …], "rows": [[value, …], …]}, …]}. Integers come as strings.
'use strict';
const fs = require('fs'), path = require('path'), readline = require('readline');
const dir = process.argv.at(-1);
const script = ['engine_bundle.node.js', 'engine_bundle.js'].map(f => path.join(dir, f)).find(f => fs.existsSync(f));
const wasm = fs.readFileSync(path.join(dir, 'trace_processor.wasm'));

// The engine is compiled once, and instantiated for each trace.
const {Module, Instance} = WebAssembly;
let compiled, ready; // ready is called when an instance takes requests
WebAssembly.Module = function (bytes) {
  if (bytes.byteLength < wasm.length) return new Module(bytes);
  return compiled = compiled || new Module(bytes);
};
WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports), init = instance.exports.trace_processor_rpc_init, begun = ready;
  if (!init) return instance;
  const trace_processor_rpc_init = (...args) => {
    setImmediate(begun);
    return init(...args);
  };
  return {exports: {...instance.exports, trace_processor_rpc_init}};
};
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};

const buffer = () => wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length);
const source = new Function('self', 'console', 'importScripts', 'location', 'fetch', 'XMLHttpRequest', 'process', 'require', 'window', fs.readFileSync(script, 'utf8'));

// Protocol buffers, as far as the engine's protocol (trace_processor.proto) needs them.
function varint(n) {
  const out = [];
  n = BigInt(n);
  do {
    let b = Number(n & 127n);
    n >>= 7n;
    out.push(n ? b | 128 : b);
  } while (n);
  return Buffer.from(out);
}
const message = (field, b) => Buffer.concat([varint(field << 3 | 2), varint(b.length), b]);
const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
function reader(b) {
  let p = 0;
  const next = () => {
    let v = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const c = b[p++];
      v |= BigInt(c & 127) << shift;
      if (c < 128) return v;
    }
  };
  return {next, more: () => p < b.length, take: n => b.subarray(p, p += n)};
}
function* fields(b) {
  for (const r = reader(b); r.more();) {
    const key = Number(r.next()), wire = key & 7;
    if (wire === 0) yield [key >>> 3, r.next()];
    else yield [key >>> 3, r.take(wire === 2 ? Number(r.next()) : wire === 1 ? 8 : 4)];
  }
}
function packed(b) {
  const out = [];
  for (const r = reader(b); r.more();) out.push(BigInt.asIntN(64, r.next()));
  return out;
}

// Engine is one instance. Methods are numbers of TraceProcessorMethod.
class Engine {
  constructor() {
    this.sequence = 0;
    this.fatal = [];
    this.ready = new Promise(resolve => { ready = resolve; });
    const self = {};
    const location = {href: 'http://x/' + path.basename(script)};
    self.location = location;
    const quiet = {log() {}, info() {}, warn() {}, error() {}};
    class Request {
      open() {}
      send() { this.response = buffer(); this.status = 200; }
    }
    const fetch = async () => ({ok: true, arrayBuffer: async () => buffer()});
    source(self, quiet, () => {}, location, fetch, Request, undefined, undefined, undefined);
    this.port = {onmessage: null, postMessage: d => this.reply(Buffer.from(d.buffer ? d : new Uint8Array(d)))};
    self.onmessage({data: Object.assign(this.port, {enginePort: this.port})});
  }
  reply(b) {
    for (const [f, m] of fields(b)) {
      if (f !== 1) continue;
      const parts = [...fields(m)];
      const of = n => parts.filter(p => p[0] === n).map(p => p[1]);
      for (const e of of(5)) this.fatal.push(e.toString());
      const method = of(3)[0];
      if (of(203).length) of(203).forEach(v => this.onrows(v));
      else if (of(201).length) this.done(of(201)[0]);
      else if (method === 2n) this.done(null);
    }
  }
  send(method, ...parts) {
    const m = Buffer.concat([number(1, ++this.sequence), number(2, method), ...parts]);
    this.port.onmessage({data: new Uint8Array(message(1, m))});
  }
  call(method, ...parts) {
    return new Promise(resolve => { this.done = resolve; this.send(method, ...parts); });
  }
  async load(file) {
    await this.ready;
    const errors = [], data = fs.readFileSync(file);
    for (let i = 0; i < data.length; i += 16 << 20) {
      const answer = await this.call(1, message(101, data.subarray(i, i + (16 << 20))));
      for (const [f, x] of fields(answer)) if (f === 2) errors.push(x.toString());
    }
    await Promise.race([this.call(2), new Promise(r => setTimeout(r, 500))]);
    return errors;
  }
  query(sql) {
    return new Promise(resolve => {
      const names = [], rows = [];
      let row = [], error = '';
      this.onrows = answer => {
        let last = false;
        for (const [f, x] of fields(answer)) {
          if (f === 1) names.push(x.toString());
          if (f === 2) error = x.toString();
          if (f === 3) {
            let kinds = [], ints = [], texts = [], floats = [], i = 0, t = 0, d = 0;
            for (const [g, y] of fields(x)) {
              if (g === 1) kinds = packed(y);
              if (g === 2) ints = packed(y);
              if (g === 3) for (let k = 0; k < y.length; k += 8) floats.push(y.readDoubleLE(k));
              if (g === 5) texts = y.toString().split('\0');
              if (g === 6) last = true;
            }
            for (const k of kinds) {
              row.push(k === 1n ? null : k === 2n ? String(ints[i++]) : k === 3n ? floats[d++] : texts[t++]);
              if (row.length === names.length) {
                rows.push(row);
                row = [];
              }
            }
          }
        }
        if (last || error) resolve({error, columns: names, rows});
      };
      this.send(3, message(103, message(1, Buffer.from(sql))));
    });
  }
}

(async () => {
  for await (const line of readline.createInterface({input: process.stdin})) {
    const job = JSON.parse(line), engine = new Engine();
    const errors = await engine.load(job.trace), results = [];
    for (const sql of job.queries) results.push(await engine.query(sql));
    process.stdout.write(JSON.stringify({errors: errors.concat(engine.fatal), results}) + '\n');
  }
})();
