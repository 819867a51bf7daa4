package uftrace

// Task is a thread.
type Task struct {
	TID, PID, PPID int32 // PPID is -1 without a parent
	Start          uint64
	// Comm is the base name of the program cut to 15 bytes, before perf events give another.
	Comm string
	// File is the name of its file of records.
	File string

	sessions []sessionRef
}

type sessionRef struct {
	from, to uint64
	session  *Session
}

// SessionAt is the program image that the task ran at a time, nil when unknown.
func (t *Task) SessionAt(time uint64) *Session { return nil }

// Session is one program image of one process: made at its start and after exec.
type Session struct {
	ID    string // 16 characters
	PID   int32
	Start uint64
	Exe   string
	// KernelBase is the lowest kernel address.
	KernelBase uint64
	Maps       []Mapping // by address
	Libs       []Library // libraries of dlopen, by time
}

// Mapping is a module at its place.
type Mapping struct {
	Start, End uint64
	Module     *Module
}

// Library is a module that dlopen brought in.
type Library struct {
	Time, Base uint64
	Module     *Module
}

// Find is the symbol that holds addr at a time, and how far behind its start addr is. Addresses at or above KernelBase
// are looked for in the kernel's symbols.
func (s *Session) Find(addr, time uint64) (sym *Symbol, offset uint64) { return nil, 0 }

// Module is a program, a library or the kernel, with its symbols.
type Module struct {
	Name, Path, BuildID string    // Name is the base name of Path
	Symbols             []*Symbol // by address
	// Enums are the declarations of its debug information by name: `kind {food,tool=5,book}`.
	Enums map[string]string
}

// Symbol is a function or an object.
type Symbol struct {
	Addr, Size uint64 // relative to the module
	Type       byte   // T t w P K …: P is a slot of the procedure linkage table
	Name       string // as in the symbol table, mangled
	Simple     string // without template arguments, parameters and return type: what specs match
	Module     *Module
	Index      int32 // in Recording.Symbols
	// Args and Results are the values of an entry and of an exit record, in their order.
	Args, Results []Spec
	// File and Line are where the function begins; empty and 0 without debug information.
	File string
	Line int
}

// Spec is one value of a payload.
type Spec struct {
	Result   bool
	Index    int    // of the argument, from 1; 0 for a result
	Float    bool   // fpargN: counted apart
	Format   byte   // d i u x o s S c f p e t
	Size     int    // bytes of the value; 0 for strings
	TypeName string // of an enum or a structure
	Location string // %rdi, %stack+1: as written, without the percent sign
}

// String is the spec as it is written: arg1/i32, fparg2/64, retval/e:kind.
func (s Spec) String() string { return "" }
