// Reads Chrome's trace events with the engine of DevTools, and prints the items of each thread:
//
//	node devtools.mjs FOLDER FILE
//
// FOLDER contains node_modules/@paulirish/trace_engine. The output is an array of [name, begin,
// length, depth]. Times are in microseconds.
import fs from 'node:fs'
import {pathToFileURL} from 'node:url'
globalThis.DOMRect ??= class { static fromRect() { return new DOMRect() } }
globalThis.window ??= globalThis
console.warn = console.error = text => { throw new Error(text) }
const [folder, name] = process.argv.slice(2)
const {TraceModel} = await import(pathToFileURL(folder + '/node_modules/@paulirish/trace_engine/models/trace/trace.js'))
const model = TraceModel.Model.createWithAllHandlers()
const file = JSON.parse(fs.readFileSync(name, 'utf8'))
await model.parse(file.traceEvents, {metadata: file.metadata})
const {Renderer} = model.parsedTrace().data
const all = []
for (const process of Renderer.processes.values())
  for (const thread of process.threads.values())
    for (const e of thread.entries) {
      const node = Renderer.entryToNode.get(e)
      all.push([e.name, e.ts, e.dur ?? -1, node ? node.depth : -1])
    }
process.stdout.write(JSON.stringify(all))
