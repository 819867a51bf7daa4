package program_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// aliases is a program that has several names for most of its addresses.
const aliases = `int main(void) { return 0; }
__asm__(".text\n"
	".type sized,@function\n" "sized:\n" ".globl label\n" "label: nop; nop\n" ".size sized,.-sized\n"
	".globl whole\n" ".type whole,@function\n" "whole:\n" "inner: nop; nop\n" ".size whole,.-whole\n"
	".weak weak\n" ".type weak,@function\n" "weak:\n" ".type __local,@function\n" "__local: nop\n"
	".size weak,1\n" ".size __local,1\n"
	".data\n" ".globl seen\n" "seen: .zero 64\n" ".globl unseen\n" ".hidden unseen\n" "unseen: .zero 64\n"
	".globl object\n" ".hidden object\n" ".type object,@object\n" "object: .zero 64\n"
	".type first,@object\n" "first: .byte 1\n" ".size first,1\n"
	".globl last\n" ".type last,@object\n" ".set last,first\n");
`

// TestAliases checks the names that perf script 6.1 prints for samples and page faults of such a
// program, and of libc. It prefers a global label to a local function, and a local function to a
// weak one.
func TestAliases(t *testing.T) {
	gcc := needs.Program(t, "gcc", "apt-get install gcc")
	root := t.TempDir()
	src, prog := filepath.Join(root, "p.c"), filepath.Join(root, "prog")
	if err := os.WriteFile(src, []byte(aliases), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(gcc, "-O1", "-Wl,--build-id", "-o", prog, src).CombinedOutput()
	if err != nil {
		needs.Skip(t, "need a C library (apt-get install libc6-dev)", err, string(out))
	}
	all := names(t, prog)
	s, err := program.Search{Root: root}.Load("/prog", "", memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[string]string{
		"sized": "label", "whole": "whole", "weak": "__local", "seen": "seen", "unseen": "seen+64", "object": "object",
		"first": "last",
	} {
		name, shift, _ := strings.Cut(want, "+")
		if shift == "" {
			offset(t, s, name, all[of].Addr)
			continue
		}
		at := offset(t, s, name, all[name].Addr)
		if got, off, _ := s.Find(at + all[of].Addr - all[name].Addr); got != name || off != 64 {
			t.Errorf("%s is %s+%d, want %s", of, got, off, want)
		}
	}
}
