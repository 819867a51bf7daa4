package programs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ftrace"
)

// chainFormat returns a format file whose print fmt has a term for each of n numbers.
func chainFormat(id, n int) *ftrace.Format {
	var terms []string
	for i := range n {
		terms = append(terms, fmt.Sprintf("REC->a != %d", i))
	}
	text := fmt.Sprintf("name: ev%d\nID: %d\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"+
		"\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"x=%%d\", %s\n", id, id,
		strings.Join(terms, " && "))
	return &ftrace.Format{System: "test", Name: fmt.Sprintf("ev%d", id), ID: id, Text: text}
}

func TestTextsTakeMemory(t *testing.T) {
	errFull := errors.New("full")
	left, asked := int64(100_000), []string(nil)
	hold := func(what string, bytes int64) error {
		asked = append(asked, what)
		if bytes > left {
			return errFull
		}
		left -= bytes
		return nil
	}
	formats := programs.NewFormats([]*ftrace.Format{chainFormat(1, 200), chainFormat(2, 800), chainFormat(3, 2)},
		ir.Target{WordSize: 8}, hold)
	for id, fits := range map[uint32]bool{1: true, 2: false, 3: true} {
		p := formats.Program(id)
		if text := p.Text().HasText(); text != fits || (p.Err == nil) != fits {
			t.Errorf("event %d: text %v, error %v", id, text, p.Err)
		}
		if !fits && (!errors.Is(p.Err, errFull) || len(p.Event.Fields) != 2) {
			t.Errorf("event %d: error %v and %d fields, want %v and 2", id, p.Err, len(p.Event.Fields), errFull)
		}
	}
	if len(asked) != 3 {
		t.Errorf("asked for %q", asked)
	}
}

// TestLongChainsAreLinear: a print fmt with eight times the operands must not take 64 times as long
// (cases: operands).
func TestLongChainsAreLinear(t *testing.T) {
	took := func(n int) time.Duration {
		f := chainFormat(1, n)
		least := time.Duration(1 << 62)
		for range 10 {
			start := time.Now()
			if !programs.NewFormats([]*ftrace.Format{f}, ir.Target{WordSize: 8}, nil).Program(1).Text().HasText() {
				t.Fatal("no text")
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	if small, large := took(100), took(800); large > 32*small {
		t.Errorf("%v for 800 operands, %v for 100", large, small)
	}
}
