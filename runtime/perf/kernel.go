package perf

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/tracec/tracec/runtime/symbols"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// kernelSymbols is the symbol table of the recorded kernel.
type kernelSymbols struct {
	mu sync.Mutex // for the next three fields
	// symbol is a symbol whose recorded address is addr. It is empty if there is none.
	symbol string
	addr   uint64
	build  string // its build id; may be empty

	once  sync.Once
	table *symbols.Table // nil if there is none
	shift uint64         // distance from addresses of the table to recorded ones
}

// recorded notes a symbol of the kernel's mapping with its address, and a build id.
func (k *kernelSymbols) recorded(symbol string, addr uint64, build string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.symbol == "" {
		k.symbol, k.addr, k.build = symbol, addr, build
	}
}

// kernelSymbol returns the symbol of an address of the kernel or of one of its modules.
func (l *modules) kernelSymbol(m *Module, addr uint64) (name string, offset uint64, ok bool) {
	k := &l.kernel
	k.once.Do(l.loadKernel)
	if k.table == nil || m.kind == loadable && k.shift != 0 { // modules move by other distances
		return "", 0, false
	}
	y, ok := k.table.Find(addr - k.shift)
	if !ok || m.kind == loadable && "["+y.Module+"]" != moduleName(m.File) {
		return "", 0, false
	}
	return y.Name, addr - k.shift - y.Addr, true
}

const (
	runningSymbols = "/proc/kallsyms"
	runningNotes   = "/sys/kernel/notes"
	anyType        = "tTwWbBdDrRvV"
)

// loadKernel reads kallsyms: the file of the option, or the running kernel's if it is the recorded
// kernel.
func (l *modules) loadKernel() {
	name := l.rec.config.kallsyms
	if name == "" {
		if name = runningSymbols; !l.runs() {
			return
		}
	}
	text, err := l.kernelText(name)
	if err != nil {
		l.fail(err)
		return
	}
	k := &l.kernel
	table := symbols.ParseKallsyms(text, symbols.LastAlias)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.symbol != "" {
		addr, ok := table.Address(k.symbol, anyType)
		if !ok || addr == 0 { // without privileges, all addresses are 0
			l.fail(fmt.Errorf("%s: no address of %s, so the kernel has no symbols", name, k.symbol))
			return
		}
		k.shift = k.addr - addr
	}
	k.table = table
}

// kernelText reads kallsyms within the memory of the recording.
func (l *modules) kernelText(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	most := min(symbols.MaxText, l.rec.memory.Left())
	n, err := io.Copy(&b, io.LimitReader(f, most))
	if err != nil {
		return "", err
	}
	if err := l.rec.memory.Take(n + int64(strings.Count(b.String(), "\n")+1)*symbols.EntrySize); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return b.String(), nil
}

// runs reports whether the recorded kernel is the running one, by its build id.
func (l *modules) runs() bool {
	l.kernel.mu.Lock()
	build := l.kernel.build
	l.kernel.mu.Unlock()
	if build == "" {
		build = l.build(kernelFile)
	}
	notes, err := os.ReadFile(runningNotes)
	return err == nil && build != "" && build == hex.EncodeToString(program.BuildNote(notes,
		binary.NativeEndian.Uint32))
}
