package view

import (
	"context"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// TestPictures makes the pictures of the README: VIEW_PICTURES=DIR go test -run TestPictures
// ./export/view, where DIR is the absolute path of testdata/view.
func TestPictures(t *testing.T) {
	b := newBrowser(t)
	b.take("light", "../../testdata/ftrace/amd64-syscalls.dat", "amd64-syscalls.dat")
	for range 8 {
		b.press(keyDown)
	}
	b.press(keyEnter)
	b.wait(`tracec.selected && document.querySelector("#event article")`)
	b.press("f")
	b.whole()
	b.shoot("light")

	b.take("dark", "../../testdata/uftrace/cpp-auto/data.tar.gz", "cpp: uftrace.data")
	b.press(keyDown, keyDown, keyEnter)
	b.wait(`tracec.selected`)
	b.press("w", "r")
	b.wait(`document.getElementById("flame")`)
	b.whole()
	b.shoot("dark")
	b.noErrors()
}

// take opens a recording in a theme.
func (b *browser) take(theme, name, title string) {
	b.t.Helper()
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { rec.Close() })
	span, err := (&report.Job{Job: sources.Job{Path: name, Warn: func(error) {}}}).Span(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	s := start(b.t, New(opener(rec), timed(title, span.Form, span.First, 0)))
	b.open(s.URL() + "#theme=" + theme)
	b.whole()
}
