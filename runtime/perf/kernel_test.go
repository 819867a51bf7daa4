package perf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/internal/memory"
)

const (
	kallsymsText = `ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81000100 t schedule
ffffffff81000200 T end
ffffffffc0000000 t read_page	[ext4]
ffffffffc0000100 t other	[xfs]
`
	textAddr = 0xffffffff81000000
)

// TestKernelSymbols: the kernel's symbols are shifted according to the recorded address of one
// symbol. This address differs from kallsyms if the recorded kernel was loaded elsewhere. Modules
// then have no symbols.
func TestKernelSymbols(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kallsyms")
	if err := os.WriteFile(file, []byte(kallsymsText), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, shift := range []uint64{0, 0x3000000, 1<<64 - 0x200000} {
		l := kernelOf(file)
		kernel := l.kernelModule("[kernel.kallsyms]_text", "", textAddr+shift)
		ext4 := l.kernelModule("/lib/modules/6.18/kernel/fs/ext4/ext4.ko.xz", "", 0)
		if name, off, ok := l.kernelSymbol(kernel, textAddr+0x110+shift); name != "schedule" || off != 0x10 || !ok {
			t.Errorf("shift %#x: %s+%#x %v, want schedule+0x10", shift, name, off, ok)
		}
		if name, _, ok := l.kernelSymbol(kernel, textAddr+shift-1); ok {
			t.Errorf("shift %#x: %s before the kernel", shift, name)
		}
		name, off, ok := l.kernelSymbol(ext4, 0xffffffffc0000080)
		if want := shift == 0; ok != want || ok && (name != "read_page" || off != 0x80) {
			t.Errorf("shift %#x: %s+%#x %v in ext4", shift, name, off, ok)
		}
		if name, _, ok := l.kernelSymbol(ext4, 0xffffffffc0000100); ok {
			t.Errorf("shift %#x: %s of another module in ext4", shift, name)
		}
		if len(l.errs) > 0 {
			t.Error(l.errs)
		}
	}
}

// TestKernelSymbolsUnknown: without the address of the recorded symbol, the kernel has no symbols,
// and the recording reports the reason.
func TestKernelSymbolsUnknown(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"other":  kallsymsText,
		"hidden": "0000000000000000 T _sinittext\n0000000000000000 t schedule\n",
		"empty":  "",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		l := kernelOf(file)
		kernel := l.kernelModule("[kernel.kallsyms]_sinittext", "", textAddr)
		if s, _, ok := l.kernelSymbol(kernel, textAddr+0x110); ok || len(l.errs) != 1 {
			t.Errorf("%s: %q, %v", name, s, l.errs)
		}
	}
}

// kernelOf returns the modules of a recording whose kernel has the symbols of a file.
func kernelOf(file string) *modules {
	r := &Recording{config: config{kallsyms: file}, memory: memory.New(0)}
	r.modules.rec = r
	return &r.modules
}
