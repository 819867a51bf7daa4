package docs

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNames: what the pages about the code have in backquotes is there: files, folders, and names
// of Go's source. Commands, fields of recordings and code of other languages are none of these.
func TestNames(t *testing.T) {
	pages, err := filepath.Glob("decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := identifiers(t)
	qualified := regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)
	folder := regexp.MustCompile(`^[a-z]\w*(/[\w.<>*{},-]+)+$`)
	for _, page := range append(pages, "architecture.md", "words.md", "unsafe.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range prose(string(text)) {
			for _, span := range codeSpan.FindAllString(line, -1) {
				span = strings.Trim(span, "`")
				switch {
				case folder.MatchString(span) && !strings.ContainsAny(span, "<{"):
					if !exists(span) {
						t.Errorf("%s:%d: %s is not in the repository", page, i+1, span)
					}
				case qualified.MatchString(span) && strings.ToLower(span) != span:
					for name := range strings.SplitSeq(span, ".") {
						if !names[name] && !exists(name) {
							t.Errorf("%s:%d: no name %s in %s", page, i+1, name, span)
						}
					}
				}
			}
		}
	}
}

// exists reports whether a path of the repository is there: a file, a folder, a pattern, or a
// folder with the name of something in its package.
func exists(path string) bool {
	if found, _ := filepath.Glob(filepath.Join("..", filepath.FromSlash(path))); len(found) > 0 {
		return true
	}
	dir, _, ok := strings.Cut(path, ".")
	_, err := os.Stat(filepath.Join("..", filepath.FromSlash(dir)))
	return ok && err == nil
}

// goFiles calls fn with each Go file of the repository but those of testdata, by its path from the
// root.
func goFiles(t *testing.T, fn func(path string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			fn(filepath.ToSlash(path)[len("../"):], text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// identifiers returns the identifiers of the repository's Go source.
func identifiers(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	goFiles(t, func(path string, text []byte) {
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(text)), text, nil, 0)
		for tok := token.ILLEGAL; tok != token.EOF; {
			var name string
			if _, tok, name = s.Scan(); tok == token.IDENT {
				names[name] = true
			}
		}
	})
	return names
}
