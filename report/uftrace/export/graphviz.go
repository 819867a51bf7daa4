package export

import (
	"context"
	"fmt"
	"html"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
)

// graphviz writes the tree in the DOT language, one edge per line.
func graphviz(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	t, played := newTree(ctx, rec, opts, 0)
	if t == nil {
		return played
	}
	in := rec.Info()
	exe := path.Base(in.ExeName)
	out := fmt.Appendf(nil, "# version\":\"%s\"\n# command_line \"%s\"\n\ndigraph \"%s\" { \n", versions[opts.Style],
		oneLine(in.CmdLine), dotText(exe))
	e := &edges{tree: t, w: w, out: out, line: func(dst []byte, from, to *node) []byte {
		dst = append(append(dst, `    "`...), dotText(t.label(from, exe))...)
		dst = append(append(dst, `" -> "`...), dotText(t.label(to, exe))...)
		dst = append(append(dst, `" [xlabel = "`...), strconv.FormatUint(to.Calls, 10)...)
		return append(dst, "\"]\n"...)
	}}
	e.below(t.root)
	e.out = append(e.out, "}\n"...)
	return e.end(played)
}

// edges writes callers and callees, from the root of the tree down.
type edges struct {
	*tree
	w    io.Writer
	out  []byte
	err  error
	line func(dst []byte, from, to *node) []byte
}

func (e *edges) below(n *node) {
	for _, c := range n.Kids {
		e.out = e.line(e.out, n, c.Node)
		if len(e.out) >= flushSize && e.err == nil {
			_, e.err = e.w.Write(e.out)
			e.out = e.out[:0]
		}
		if e.err != nil {
			return
		}
		e.below(c.Node)
	}
}

// end writes the remaining text. An error of the output has priority over the error of the
// recording.
func (e *edges) end(played error) error {
	if e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	if e.err != nil {
		return e.err
	}
	return played
}

// label returns the name of a node. The name of the root is the program.
func (t *tree) label(n *node, exe string) string {
	if n == t.root {
		return exe
	}
	return n.Name
}

// dotText escapes a text for quotes in the DOT language.
func dotText(s string) string {
	if !strings.ContainsAny(s, "\"\\\n") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// oneLine removes newlines from a text for a comment.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// mermaid writes a page with the tree as a flowchart. To draw it, a browser needs the mermaid
// script from the network. Without the script it shows the text of the chart.
func mermaid(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	t, played := newTree(ctx, rec, opts, 0)
	if t == nil {
		return played
	}
	exe := path.Base(rec.Info().ExeName)
	ids := map[*node]int{t.root: 0}
	id := func(n *node) int {
		if _, ok := ids[n]; !ok {
			ids[n] = len(ids)
		}
		return ids[n]
	}
	out := fmt.Appendf(nil, mermaidHead, html.EscapeString(exe), html.EscapeString(versions[opts.Style]),
		html.EscapeString(rec.Info().CmdLine), mermaidText(exe))
	e := &edges{tree: t, w: w, out: out, line: func(dst []byte, from, to *node) []byte {
		return fmt.Appendf(dst, "  n%d -->|%d| n%d[\"%s\"]\n", id(from), to.Calls, id(to),
			mermaidText(t.label(to, exe)))
	}}
	e.below(t.root)
	e.out = append(e.out, mermaidTail...)
	return e.end(played)
}

const mermaidHead = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title>%s</title>
</head>
<body>
<p>%s</p>
<p>%s</p>
<pre class="mermaid">
flowchart TD
  n0["%s"]
`

const mermaidTail = `</pre>
<script type="module">
import mermaid from "https://cdn.jsdelivr.net/npm/mermaid@10/dist/mermaid.esm.min.mjs";
mermaid.initialize({startOnLoad: true, maxTextSize: 100000000});
</script>
</body>
</html>
`

// mermaidText escapes a label in quotes. mermaid has its own entities, with # for &, and the page
// uses HTML's.
func mermaidText(s string) string {
	return html.EscapeString(strings.NewReplacer(`"`, "#quot;", "\n", " ").Replace(s))
}
