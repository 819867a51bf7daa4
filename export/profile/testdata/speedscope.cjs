// Reads profiles with the importers of speedscope, without its page, and prints their sums:
//
//	node speedscope.cjs RELEASE FILE...
//
// RELEASE is the folder dist/release of the npm package. The output has a line of JSON for each file:
// the error, or the names of the profiles, and the sums over all profiles for each function: self,
// total and number of samples.
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const release = process.argv[2]
const bundle = fs.readdirSync(release).find(n => /^speedscope-.*\.js$/.test(n))
let code = fs.readFileSync(path.join(release, bundle), 'utf8')
const importer = /loadFileFromBase64:\(\w+,\w+\)=>\{this\.loadProfile\(\(\)=>([\w$]+)\(/.exec(code)[1]
const start = 'console.log(`speedscope v' // the page begins here
if (code.split(start).length !== 2) throw new Error(`${bundle} is another version`)
code = code.replace(start, `globalThis.importFromBase64=${importer};return;` + start)

const nothing = new Proxy(function () {}, { get: (_, k) => (k === Symbol.toPrimitive ? () => '' : nothing), apply: () => nothing, construct: () => nothing, set: () => true })
const page = { console: { ...console, log() {}, warn() {} }, document: nothing, navigator: { userAgent: '', platform: '' }, location: { protocol: 'file:', hash: '' },
  atob, btoa, TextDecoder, TextEncoder, URL, setTimeout, clearTimeout, requestAnimationFrame() {}, addEventListener() {}, matchMedia: () => nothing, performance,
  localStorage: nothing, Uint8Array, ArrayBuffer, alert(text) { throw new Error(text) } }
page.window = page.self = page.globalThis = page
vm.runInNewContext(code, page)

async function main() {
  for (const file of process.argv.slice(3)) {
    let out
    try {
      const group = await page.importFromBase64(path.basename(file), fs.readFileSync(file).toString('base64'))
      if (!group) throw new Error('no format that speedscope knows')
      out = { name: group.name, active: group.indexToView, profiles: [], functions: {} }
      for (const p of group.profiles) {
        out.profiles.push({ name: p.getName(), total: p.getTotalWeight(), unit: p.getWeightUnit() })
        p.forEachFrame(f => {
          const sum = (out.functions[f.name] ??= { self: 0, total: 0 })
          sum.self += f.getSelfWeight()
          sum.total += f.getTotalWeight()
        })
      }
    } catch (e) {
      out = { error: String(e && e.message || e) }
    }
    process.stdout.write(JSON.stringify(out) + '\n')
  }
}
main()
