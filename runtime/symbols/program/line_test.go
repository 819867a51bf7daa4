package program_test

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// load loads the symbols of a program, and returns the place of its code.
func load(t *testing.T, data []byte) (s *program.Symbols, text *elf.Section) {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "prog"), data, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	s, err = program.Search{Root: root}.Load("/prog", "", memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	return s, f.Section(".text")
}

// TestLines: the lines of a C program equal those of addr2line -a -f -i (binutils 2.40), which does
// not know the begins of functions.
func TestLines(t *testing.T) {
	s, text := load(t, perftest.File(t, "amd64-6.18", "hot"))
	want, err := os.ReadFile("testdata/hot.addr2line.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	var blocks, inlined int
	for block := range strings.SplitSeq(string(want), "0x") {
		if block == "" {
			continue
		}
		head, _, _ := strings.Cut(block, "\n")
		addr, err := strconv.ParseUint(head, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.AppendLines(nil, addr-text.Addr+text.Offset)
		if err != nil {
			t.Fatal(err)
		}
		got = fmt.Appendf(got[:0], "%016x\n", addr)
		for _, x := range list {
			if x.Function == "" {
				x.Function, _, _ = s.Find(addr - text.Addr + text.Offset)
			}
			got = fmt.Appendf(got, "%s\n%s:%d\n", x.Function, x.File, x.Line)
		}
		if len(list) == 0 { // addr2line has the symbol and no line
			lines := strings.Split(block, "\n")
			if strings.HasSuffix(lines[2], ":?") {
				continue
			}
		}
		blocks++
		if len(list) > 1 {
			inlined++
		}
		var ref []byte
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " (discriminator")
			ref = append(append(ref, line...), '\n')
		}
		if string(got) != string(ref) {
			t.Errorf("lines are\n%s, want\n%s", got, ref)
		}
	}
	if blocks < 150 || inlined == 0 {
		t.Errorf("only %d addresses, %d in inlined functions", blocks, inlined)
	}
}

// framesSource is a program that prints the places of a stack, by Go's runtime. Calls of f, g and h
// are inlined. The runtime prints the name of e as e[...].
const framesSource = `package main

import "runtime"

func main() { d(e[int]) }

//go:noinline
func d(fn func(int) int) {
	fn(1)
}

//go:noinline
func e[T any](x T) T {
	f()
	return x
}

func f() {
	g()
}

func g() { h(); h() }

func h() {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for more := true; more; {
		var x runtime.Frame
		x, more = frames.Next()
		println(x.PC, x.Function, x.File, x.Line)
	}
}
`

// TestGoLines: the lines of a Go program equal those that Go's runtime finds, also without symbols
// and DWARF.
func TestGoLines(t *testing.T) {
	goTool := needs.Program(t, "go", "https://go.dev/dl")
	starts := map[string]int{"main.main": 5, "main.d": 8, "main.e[...]": 13, "main.f": 18, "main.g": 22, "main.h": 24}
	for name, flags := range map[string]string{"plain": "", "stripped": "-s -w", "external": "-linkmode=external"} {
		dir := t.TempDir()
		src, prog := filepath.Join(dir, "main.go"), filepath.Join(dir, "prog")
		if err := os.WriteFile(src, []byte(framesSource), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(goTool, "build", "-buildmode=exe", "-ldflags="+flags, "-o", prog, src)
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOOS=linux", "GOARCH=amd64")
		if out, err := cmd.CombinedOutput(); err != nil {
			if name == "external" {
				t.Logf("no linker of C: %s", out)
				continue
			}
			t.Fatal(err, string(out))
		}
		out, err := exec.Command(prog).CombinedOutput()
		if err != nil {
			needs.Skip(t, "need a machine that runs linux/amd64", err)
		}
		data, err := os.ReadFile(prog)
		if err != nil {
			t.Fatal(err)
		}
		s, text := load(t, data)
		if n := strings.Count(string(out), " main."); n != 12 {
			t.Fatalf("%s: the program printed %d frames of its own", name, n)
		}
		var list []program.Line
		for line := range strings.Lines(string(out)) {
			at, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			pc, err := strconv.ParseUint(at, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 { // otherwise it is the function that contains the inlined code
				if list, err = s.AppendLines(nil, pc-text.Addr+text.Offset); err != nil || len(list) == 0 {
					t.Fatalf("%s: no lines at %#x (%v), want %s", name, pc, err, line)
				}
			}
			x := list[0]
			list = list[1:]
			if before, after, ok := strings.Cut(x.Function, "["); ok { // the runtime shortens types
				x.Function = before + "[..." + after[strings.LastIndexByte(after, ']'):]
			}
			if got := fmt.Sprintf("%s %s %d", x.Function, x.File, x.Line); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			if want := starts[x.Function]; want > 0 && x.Start != want {
				t.Errorf("%s: %s begins at line %d, want %d", name, x.Function, x.Start, want)
			}
		}
		if len(list) > 0 {
			t.Errorf("%s: more lines at the end: %v", name, list)
		}
	}
}

// TestDamagedLines: damaged tables of lines give fewer lines or an error.
func TestDamagedLines(t *testing.T) {
	n := 20
	if needs.LongProofs(t) {
		n = 2000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, sections := range map[string][]string{
		"hot": {".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists", ".debug_str"},
		"go":  {".gopclntab", ".go.module"},
	} {
		var whole []byte
		if name == "go" {
			whole = perftest.File(t, "go", "opt/hot/hot")
		} else {
			whole = perftest.File(t, "amd64-6.18", "hot")
		}
		f, err := elf.NewFile(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			data := bytes.Clone(whole)
			for range 1 + rng.IntN(20) {
				x := f.Section(sections[rng.IntN(len(sections))])
				data[x.Offset+uint64(rng.Int64N(int64(x.Size)))] = byte(rng.Uint32())
			}
			s, text := load(t, data)
			for at := uint64(0); at < text.Size; at += text.Size/400 + 1 {
				_, _ = s.AppendLines(nil, text.Offset+at)
			}
		}
	}
}

// TestDebugFileLines: a program without DWARF has the lines of its debug file, even if the program
// itself has symbols.
func TestDebugFileLines(t *testing.T) {
	objcopy := needs.Program(t, "objcopy", "apt-get install binutils")
	root := t.TempDir()
	whole, prog, debug := filepath.Join(root, "whole"), filepath.Join(root, "prog"), filepath.Join(root, "debug")
	data := perftest.File(t, "amd64-6.18", "hot")
	if err := os.WriteFile(whole, data, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--strip-debug", whole, prog}, {"--only-keep-debug", whole, debug}} {
		if out, err := exec.Command(objcopy, args...).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	f, err := program.Open(whole, memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	id := f.BuildID()
	folder := filepath.Join(root, "usr/lib/debug/.build-id", id[:2])
	err = errors.Join(os.MkdirAll(folder, 0o777), os.Rename(debug, filepath.Join(folder, id[2:]+".debug")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := program.Search{Root: root}.Load("/prog", id, memory.New(0))
	if err != nil {
		t.Fatal(err)
	}
	want, text := load(t, data)
	some := 0
	for at := text.Offset; at < text.Offset+text.Size; at += 5 {
		x, err := want.AppendLines(nil, at)
		if err != nil {
			t.Fatal(err)
		}
		y, err := s.AppendLines(nil, at)
		if !slices.Equal(x, y) || err != nil {
			t.Errorf("lines at %#x are %v (%v), want %v", at, y, err, x)
		}
		some += len(x)
	}
	if some == 0 {
		t.Error("no lines")
	}
}

// TestLinesLimit: tables that do not fit in memory are an error once. There are no lines then.
func TestLinesLimit(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "hot"), perftest.File(t, "go", "opt/hot/hot"), 0o777); err != nil {
		t.Fatal(err)
	}
	m := memory.New(record.MinMemory)
	s, err := program.Search{Root: root}.Load("/hot", "", m)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Take(m.Left() - 100_000); err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{memory.ErrLimit, nil} {
		if list, err := s.AppendLines(nil, 0x7a97c); !errors.Is(err, want) || len(list) > 0 {
			t.Errorf("look-up %d: %v, %v", i, list, err)
		}
	}
}
