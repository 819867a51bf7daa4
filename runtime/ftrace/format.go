package ftrace

import (
	"strconv"
	"strings"
)

// Format is the description of one event by the kernel.
type Format struct {
	System string // "ftrace" for events of the ring buffer's own tracers
	Name   string
	ID     int    // Record.ID of such events in this recording
	Text   string // the whole format file
	Fields []Field
}

// Field is one field line of a format. Offset and Size are in bytes and are authoritative. Type is
// only a label.
type Field struct {
	Name   string
	Type   string // the C declaration without the name, arrays included: "char[16]"
	Decl   string // the C declaration as written
	Offset int
	Size   int
	Signed bool // false if the kernel is too old to record the sign
	Common bool // in the block at the beginning of all events
}

// Field returns the field with the given name, or nil.
func (f *Format) Field(name string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

// Formats returns the descriptions of all events of the recording in file order. The events of the
// ring buffer's own tracers (System "ftrace") come first. The slice belongs to the recording.
func (r *Recording) Formats() []*Format { return r.formats }

// parseFormat scans the lines of a format file (ftrace.md 3.1). ok is false if name or id is
// missing.
func parseFormat(system, text string) (f *Format, ok bool) {
	head, _, _ := strings.Cut(text, "print fmt:")
	f = &Format{System: system, Text: text, ID: -1, Fields: make([]Field, 0, strings.Count(head, "\tfield"))}
	common := true
	rest := text
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.HasPrefix(line, "print fmt:"):
			rest = "" // its strings may contain newlines and any text
		case strings.HasPrefix(line, "name:"):
			f.Name = strings.TrimSpace(line[len("name:"):])
		case strings.HasPrefix(line, "ID:"):
			if id, err := strconv.ParseInt(strings.TrimSpace(line[len("ID:"):]), 10, 32); err == nil && id >= 0 {
				f.ID = int(id)
			}
		case line == "":
			common = common && len(f.Fields) == 0 // a blank line separates the blocks
		default:
			if fd, ok := parseField(line); ok {
				fd.Common = common && strings.HasPrefix(fd.Name, "common_")
				f.Fields = append(f.Fields, fd)
			}
		}
	}
	return f, f.Name != "" && f.ID >= 0
}

// parseFields scans a text of field lines only, such as header_page.
func parseFields(text string) []Field {
	var fields []Field
	for line := range strings.Lines(text) {
		if f, ok := parseField(strings.TrimRight(line, "\r\n")); ok {
			fields = append(fields, f)
		}
	}
	return fields
}

// parseField reads "\tfield:DECL;\toffset:N;\tsize:N;\tsigned:N;".
func parseField(line string) (f Field, ok bool) {
	line = strings.TrimLeft(line, " \t")
	var found bool
	if line, found = strings.CutPrefix(line, "field special:"); !found {
		if line, found = strings.CutPrefix(line, "field:"); !found {
			return f, false
		}
	}
	i := strings.Index(line, ";\toffset:")
	if i < 0 {
		if i = strings.IndexByte(line, ';'); i < 0 {
			return f, false
		}
	}
	f.Decl = strings.TrimSpace(line[:i])
	f.Name, f.Type = splitDecl(f.Decl)
	if f.Name == "" || f.Type == "" {
		return f, false
	}
	rest := line[i+1:]
	if f.Offset, rest, ok = column(rest, "offset:"); !ok {
		return f, false
	}
	if f.Size, rest, ok = column(rest, "size:"); !ok {
		return f, false
	}
	if strings.TrimLeft(rest, " \t") == "" {
		return f, true // kernels before 2.6.32 record no more
	}
	signed, _, ok := column(rest, "signed:")
	f.Signed = signed == 1
	return f, ok && signed <= 1
}

// column reads "key:N;" and returns the rest. It follows the rules of the compiler's parser,
// because generated code and the compiler must see the same fields in a damaged format.
func column(s, key string) (n int, rest string, ok bool) {
	v, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), key)
	if !ok {
		return 0, s, false
	}
	digits, rest, _ := strings.Cut(v, ";")
	u, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 31)
	return int(u), rest, err == nil
}

// splitDecl splits "unsigned long args[6]". The name is the last word before the dimension.
// "__data_loc char[] name" has its brackets before the name.
func splitDecl(decl string) (name, typ string) {
	end := len(decl)
	dim := ""
	if strings.HasSuffix(decl, "]") {
		depth := 0
		for i := len(decl) - 1; i >= 0; i-- {
			switch decl[i] {
			case ']':
				depth++
			case '[':
				depth--
			}
			if depth == 0 && (i == 0 || decl[i-1] != ']') {
				end, dim = i, decl[i:]
				break
			}
		}
	}
	head := strings.TrimRight(decl[:end], " \t")
	i := strings.LastIndexAny(head, " \t*])")
	return head[i+1:], strings.TrimRight(head[:i+1], " \t") + dim
}
