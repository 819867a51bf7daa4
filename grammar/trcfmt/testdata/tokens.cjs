// Prints the tokens of files as an engine of TextMate grammars sees them: FILE, line, first and last column (from 0, in UTF-16), scopes; JSON, one document.
const [modules, grammar, ...files] = process.argv.slice(2);
const fs = require('fs'), path = require('path');
const vsctm = require(path.join(modules, 'vscode-textmate'));
const oniguruma = require(path.join(modules, 'vscode-oniguruma'));
(async () => {
  await oniguruma.loadWASM(fs.readFileSync(path.join(modules, 'vscode-oniguruma/release/onig.wasm')));
  const registry = new vsctm.Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async () => vsctm.parseRawGrammar(fs.readFileSync(grammar, 'utf8'), grammar),
  });
  const g = await registry.loadGrammar('source.trcfmt');
  const out = {};
  for (const file of files) {
    let state = vsctm.INITIAL;
    out[file] = fs.readFileSync(file, 'utf8').split('\n').map((line) => {
      const r = g.tokenizeLine(line, state);
      state = r.ruleStack;
      return r.tokens.map((t) => [t.startIndex, t.endIndex, t.scopes.join(' ')]);
    });
  }
  console.log(JSON.stringify(out));
})();
