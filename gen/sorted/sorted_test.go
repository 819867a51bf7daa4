package sorted_test

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/tracec/tracec/gen/sorted"
)

func TestRun(t *testing.T) {
	fset := token.NewFileSet()
	files := map[string]*token.File{}
	for _, name := range []string{"b.go", "a.go"} {
		files[name] = fset.AddFile(name, -1, 100)
		files[name].SetLines([]int{0, 10, 20})
	}
	why := errors.New("why")
	run := sorted.Run(func(p *analysis.Pass) (any, error) {
		for _, d := range []struct {
			file string
			at   int
			text string
		}{{"b.go", 12, "3"}, {"a.go", 25, "2"}, {"b.go", 11, "1"}, {"b.go", 12, "0"}, {"a.go", 3, "5"}} {
			p.Reportf(files[d.file].Pos(d.at), "%s", d.text)
		}
		return 7, why
	})
	var got []string
	pass := &analysis.Pass{Fset: fset, Report: func(d analysis.Diagnostic) {
		got = append(got,
			fmt.Sprint(fset.Position(d.Pos), " ", d.Message))
	}}
	result, err := run(pass)
	want := []string{"a.go:1:4 5", "a.go:3:6 2", "b.go:2:2 1", "b.go:2:3 3", "b.go:2:3 0"}
	if !slices.Equal(got, want) || result != 7 || err != why {
		t.Errorf("%q, %v, %v; want %q", got, result, err, want)
	}
}
