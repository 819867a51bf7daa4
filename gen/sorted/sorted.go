// Package sorted makes analyzers report mistakes in the order of the source.
package sorted

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Run wraps run, the function of an analyzer. It reports the findings of run by file, line and
// column when run has ended. Analyses go by functions or by events, and tools print findings as
// they come. Findings at one place keep their order.
func Run(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		var found []analysis.Diagnostic
		own := *pass
		own.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		result, err := run(&own)
		slices.SortStableFunc(found, func(a, b analysis.Diagnostic) int {
			return compare(pass.Fset.Position(a.Pos), pass.Fset.Position(b.Pos))
		})
		for _, d := range found {
			pass.Report(d)
		}
		return result, err
	}
}

// compare orders places. It cannot use token.Pos, because files may have been parsed in any order.
func compare(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
