package trcfmt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// scoped is the expected scope of the node at a place in editors.
type scoped struct {
	pos   lexer.Position
	scope string
	what  string
}

// scopesOf collects the nodes of a file that have a scope.
func scopesOf(f *File) (list []scoped) {
	add := func(pos lexer.Position, scope string, what any) {
		list = append(list, scoped{pos, scope, fmt.Sprintf("%T %+v", what, what)})
	}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if !v.IsNil() {
				visit(v.Elem())
			}
			return
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
			return
		case reflect.Struct:
		default:
			return
		}
		switch n := v.Interface().(type) {
		case Stanza:
			if n.Broken {
				return
			}
			if !n.Add {
				add(n.Pos, "entity.name.type.hook", n.Hook)
			}
		case Comment:
			add(n.Pos, "comment.line", n.Text)
		case Code:
			add(n.Pos, "storage.type.code", n)
		case Macro:
			scope := "variable.other"
			if IsSpecialMacro(n.Name) {
				scope = "variable.language"
			}
			add(n.Pos, scope, n.Name)
			if n.Cast != nil {
				at := n.Pos
				at.Column += 1 + len(n.Name)
				add(at, "storage.modifier.cast", n.Name)
			}
			return
		case Sub:
			add(n.Pos, "variable.other", n.Hook)
		case String:
			add(n.Pos, "string.quoted", n.Value)
			return
		case BackQuote:
			add(n.Pos, "string.quoted.other", n)
			for _, x := range n.Nodes {
				if _, text := x.(*String); !text {
					visit(reflect.ValueOf(x))
				}
			}
			return
		case Newline, Tab:
			add(v.Interface().(Node).Position(), "constant.character.escape", n)
		case Loop:
			add(n.Pos, "keyword.control", "LOOP")
		case BitFlags:
			add(n.Pos, "keyword.control", "BITFLAGS")
		case Call:
			scope := "entity.name.function"
			if IsBuiltin(n.Name) || IsTimer(n.Name) {
				scope = "support.function"
			}
			add(n.Pos, scope, n.Name)
		case FuncDef, Assign:
			add(v.Interface().(Node).Position(), "punctuation.section.define", n)
		case Number:
			add(n.Pos, "constant.numeric", n.Text)
		case Case:
			if n.Any {
				add(n.Pos, "keyword.control.default", n)
			} else if n.Quoted {
				add(n.Pos, "string.quoted", n)
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "Items" {
				visit(v.Field(i))
			}
		}
	}
	visit(reflect.ValueOf(f))
	return list
}

// templates returns the template files in the repository, including those in scripts of tests.
func templates(t *testing.T) (files []string) {
	const root = "../.."
	dir := t.TempDir()
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != root && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case filepath.Ext(name) == ".trcfmt":
			files = append(files, name)
		case filepath.Ext(name) == ".txtar":
			a, err := txtar.ParseFile(name)
			if err != nil {
				return err
			}
			for _, f := range a.Files {
				if filepath.Ext(f.Name) != ".trcfmt" {
					continue
				}
				to := filepath.Join(dir, filepath.Base(name)+"-"+filepath.Base(f.Name))
				if err := os.WriteFile(to, f.Data, 0o600); err != nil {
					return err
				}
				files = append(files, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unclosed has templates with unclosed elements. Each ends where the next template begins, as in
// the parser.
const unclosed = "101 1.0 \"text\n102 1.0 `text\n103 1.0 {{ $a = 1\n104 1.0 {{ $a = f( $b\n105 1.0 {{ { \"text\n106 1.0 \"a \\\n  b\n107 1.0 f( \\ \n $a, \n108 1.0 \"text\"\n"

// heads returns the hooks at the beginning of lines.
func heads(lines [][][3]any) (hooks []string) {
	src := strings.Split(unclosed, "\n")
	for i, line := range lines {
		if len(line) == 0 || !strings.Contains(line[0][2].(string), "entity.name.type.hook") {
			continue
		}
		hooks = append(hooks, src[i][:int(line[0][1].(float64))])
	}
	return hooks
}

// TestTextMate checks that an engine of TextMate grammars, as in editors, assigns to all elements
// of templates the scope that the parser implies. No text may be invalid.
func TestTextMate(t *testing.T) {
	const grammar = "trcfmt.tmLanguage.json"
	text, err := os.ReadFile(grammar)
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{SpecialMacros, Builtins, Timers} {
		for _, n := range names {
			if n = strings.TrimRight(n, "0123456789"); !bytes.Contains(text, []byte(n)) {
				t.Errorf("the grammar lacks %s", n)
			}
		}
	}
	modules := filepath.Join(needs.Consumer(t, "TRACEC_TEXTMATE", "textmate", "node_modules/vscode-textmate"),
		"node_modules")
	node := needs.Program(t, "node", "apt-get install nodejs")
	broken := filepath.Join(t.TempDir(), "broken.trcfmt")
	if err := os.WriteFile(broken, []byte(unclosed), 0o600); err != nil {
		t.Fatal(err)
	}
	files := append(templates(t), broken)
	out, err := exec.Command(node, append([]string{"testdata/tokens.cjs", modules, grammar},
		files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var tokens map[string][][][3]any
	if err := json.Unmarshal(out, &tokens); err != nil {
		t.Fatal(err)
	}
	compared := 0
	if got := strings.Join(heads(tokens[broken]), " "); got != "101 102 103 104 105 106 107 108" {
		t.Errorf("heads beside broken templates: %s", got)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := tokens[name]
		f, _ := Parse(name, src)
		for _, s := range scopesOf(f) {
			compared++
			if got := scopeAt(lines, s.pos); !strings.Contains(got, s.scope) {
				t.Errorf("%s:%d:%d: %s is called %q, want %s", name, s.pos.Line, s.pos.Column, s.what, got, s.scope)
			}
		}
	}
	if strings.Contains(string(out), "invalid") || compared < 300 || len(files) < 30 {
		t.Errorf("%d nodes of %d files compared", compared, len(files))
	}
}

// scopeAt returns the scopes of the character at a position.
func scopeAt(lines [][][3]any, pos lexer.Position) string {
	for _, t := range lines[pos.Line-1] {
		if from, to := int(t[0].(float64)), int(t[1].(float64)); from < pos.Column && pos.Column <= to {
			return t[2].(string)
		}
	}
	return ""
}
