package lifetime

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// keepers are functions of Go's library that keep their arguments in the first one.
var keepers = set(`container/list.List.PushBack container/list.List.PushFront container/list.List.InsertBefore
	container/list.List.InsertAfter
	container/heap.Push sync.Map.Store sync.Map.LoadOrStore sync.Map.Swap sync.Pool.Put sync/atomic.Value.Store
	sync/atomic.Value.Swap
	sync/atomic.Pointer.Store sync/atomic.Pointer.Swap sync/atomic.Pointer.CompareAndSwap
	sync/atomic.Value.CompareAndSwap
	sync/atomic.StorePointer sync/atomic.SwapPointer sync/atomic.CompareAndSwapPointer sync.Map.CompareAndSwap
	maps.Copy bytes.Buffer.Reset`)

// later are functions of Go's library that may run a function after they have returned.
var later = set(`sync.WaitGroup.Go time.AfterFunc context.AfterFunc runtime.SetFinalizer runtime.AddCleanup
	testing.common.Cleanup`)

// views are functions whose result leads to the memory of an argument.
var views = set(`bytes.TrimSpace bytes.Trim bytes.TrimLeft bytes.TrimRight bytes.TrimFunc bytes.TrimLeftFunc
	bytes.TrimRightFunc bytes.TrimPrefix bytes.TrimSuffix
	bytes.Cut bytes.CutPrefix bytes.CutSuffix bytes.Fields bytes.FieldsFunc bytes.FieldsSeq bytes.Split
	bytes.SplitN bytes.SplitAfter bytes.SplitAfterN bytes.SplitSeq
	bytes.Lines bytes.NewReader bytes.NewBuffer bufio.NewReader bufio.NewReaderSize bufio.NewScanner io.NewSectionReader
	strings.TrimSpace strings.Trim strings.TrimLeft strings.TrimRight strings.TrimPrefix strings.TrimSuffix
	strings.TrimFunc
	slices.Insert slices.Delete slices.Compact slices.Grow slices.Clip slices.All slices.Values slices.Collect
	slices.AppendSeq slices.Concat
	slices.Sorted maps.Clone maps.Collect maps.All maps.Values maps.Keys context.WithValue reflect.ValueOf
	unsafe.Slice unsafe.String
	container/list.List.Front container/list.Element.Next`)

// makers are prefixes of the names of functions of Go's library that return new memory.
var makers = []string{"New", "Make", "Clone", "Repeat", "Join", "Map", "ReadAll", "Marshal", "Append", "Format",
	"Sprint"}

// makes reports whether a function of Go's library returns new memory to which nothing else leads.
func makes(fn *ssa.Function) bool {
	for _, m := range makers {
		if strings.HasPrefix(fn.Name(), m) {
			return true
		}
	}
	return false
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
