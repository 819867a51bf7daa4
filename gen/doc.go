// Package gen writes Go packages that decode trace events.
//
// [Generate] takes the events of an [ir.Unit] and returns files: a struct for each event, a
// function Bind, and optionally the text of each event. [GenerateInto] writes a decoder that fills
// structs which the user declared. Generated code imports only packages below runtime. The same
// input gives the same bytes.
//
// # What is generated
//
// A package has a struct and a variable (SchedSwitchEvent) for each event, a function Bind, a table
// of the compiled layouts, and optionally the text of every event. Bind returns a [bind.Decoder].
// It contains all code that does not depend on the events: the loop over records, statistics,
// errors.
//
//	dec, err := sched.Bind(rec, sched.SchedSwitchEvent)
//	if err != nil {
//		return err
//	}
//	for r, e := range dec.Events(ctx, record.Options{}) {
//		if e, ok := e.(*sched.SchedSwitch); ok {
//			fmt.Println(r.Time, e.NextPID)
//		}
//	}
//	return dec.Err()
//
// Containers skip the records of all other events.
//
// Generated code imports runtime packages only. Two constants stop the compiler if the generated
// code and runtime/bind do not fit together ([gencode.EnforceVersion]). Nothing in this package
// depends on a system. [ir.Unit] names the packages that read its recordings. It also declares
// whether events have fields at offsets or are read from front to back.
//
// # Fields at offsets
//
// The struct is laid over the record with explicit padding (model.go, structs.go). An event with
// data elsewhere in the record has a pointer to such a struct, and the record. Methods return those
// data. There are two variants of the code. In *_unsafe.go the record is the struct: runtime/bind
// and gencode.View return pointers into it. *_purego.go (build tag purego, and machines that cannot
// load unaligned words) decodes into a struct. Both have the same API. A text is a function of the
// payload. A value that its text names has a type, whose method appends the name.
//
// # From front to back
//
// A method Decode copies values without fixed offsets to a separate struct (values.go). These
// values lie one after another, or a program finds them. Up to the first string, offsets are
// constants. After it a local variable counts. The length is checked once for each sequence of
// values that ends with a string. The call of a function and the return from it are two events. A
// template of AIX has one struct and one function that fills it. Sizes that depend on the
// environment are counted in words, with the size of an event's head and the place where its data
// begin. The entry knows both. Environments with other differences have functions of their own
// (merge.go, environments.go). A value of an arm comes with a Has field. A value in a loop is a
// slice whose memory the Decoder keeps. A structure is a struct type of its own, and a sequence of
// structures is a slice of them. Enumerations, the cases of a switch and the flags of a template
// become types with constants. Numbers that do not depend on the recording have a type of the
// runtime (enums.go). A record that ends too early has no event, or a *bind.Short.
//
// # Structs of the user's own
//
// [ReadStructs] reads a user's package and finds the structs with a directive that names an event.
// [GenerateInto] writes a decoder of these events into that package. It fills only the fields that
// the structs have (into*.go, package own):
//
//	//go:generate go tool tracec-gen gen -into . trace.dat
//
//	// Switch is what this program wants to know.
//	//
//	//tracec:event sched:sched_switch
//	type Switch struct {
//		PrevPID, NextPID int32         // prev_pid and next_pid
//		Comm             string        `tracec:"prev_comm"`
//		State            State         `tracec:"prev_state,narrow"`
//		At               time.Duration `tracec:"@time"`
//		seen             bool          `tracec:"-"`
//	}
//
// Bind and SwitchEvent are as in generated packages. Loops yield a *Switch.
//
// The directive names an event as GROUP:EVENT or EVENT, a function as MODULE:FUNCTION, its return
// with /exit at the end, a marker as CHANNEL.MARKER, and a hook by its id or label. A struct is for
// one event. A type Waking Wakeup with a directive of its own is for another event with the same
// fields.
//
// A field takes the value that its tag names. Without a name in the tag, it takes the value with
// the name of the field, ignoring case and underscores. In tags, _ may stand for a space. @cpu,
// @id, @lost, @stream, @task and @time are fields of the record ([record.Record]). For LTTng, @task
// is -1 unless threads are selected, or Decode gets the records that MergeTasks of the recording
// returns. Fields of embedded structs of the package are filled like the struct's own fields.
//
// These conversions exist:
//
//   - An integer goes to an integer or to a type declared as one, such as the type of an
//     enumeration or of flags. A wider field costs nothing. A field that cannot hold every value
//     needs the option narrow, and gets the low bits. int, uint and uintptr count as 32 bits.
//   - An integer goes to bool, which reports whether it is not 0. This needs the option narrow
//     unless the description has a bool.
//   - An integer goes to time.Duration, or to a type that the package declares as time.Duration, if
//     an option names its unit (ns, us, ms, s). The nanoseconds of @time need no unit. A value that
//     no Duration can hold becomes the longest or the shortest one.
//   - A float goes to float64. A float of 4 bytes also goes to float32.
//   - A text goes to string, []byte or [N]byte, up to its NUL. In an array zeros follow. Bytes go
//     to []byte or [N]byte. An array that may be too short needs narrow.
//   - A stack or an array of integers goes to a slice of integers of any size. If its length is
//     fixed, it also goes to an array.
//   - A value that a record may have several times (in a loop of a template) goes to a slice.
//   - A value that a record may lack (in an arm of a template) needs a bool field HasX (or a field
//     tagged ok), or the option zero. With zero, a missing value is 0.
//
// The struct belongs to the Decoder and is the same for every record. So are slices of integers,
// whose memory grows once. A []byte is a part of the record. All this is valid until the next step.
// Strings stay valid: the Decoder remembers the last ones, so that repeated names take no memory.
// Fields with the tag "-" are never touched. Only new strings are allocated per event.
//
// If a recording has a field at another offset, or in another width or byte order, records are
// relocated as in all decoders. A missing field is an error only if a struct has it. A record that
// ends too early has no event, unless its struct takes nothing from a payload. A number may be
// wider than in the recording from which the decoder was made. For example, an unsigned long is
// wider on a 64-bit machine than on a 32-bit one. Then Bind returns bind.ErrNarrow, unless
// bind.Narrow is an option. A decoder made from the recording with the wider numbers reads both.
//
// The file has the build constraints of all files that declare its structs and types, in their
// names or in //go:build. So a struct in a file for Linux alone has a decoder for Linux alone.
// Structs for other systems need another decoder, selected by -e and named by --stem and -o.
//
// Mistakes are errors at FILE:LINE:COL of the user's source with a code (into-directive,
// into-event, into-field, into-tag, into-type, into-narrow, into-optional, into-name). All of them
// are reported at once. The package need not compile. A decoder of an earlier run that is wrong or
// missing is ignored, and other type errors are warnings ([Structs.Check]).
//
// # Names
//
// Only names.go and package name make identifiers. Text of a description becomes code in no other
// way. If two events of different groups have one name, both get their group as a prefix. If two
// names become one identifier, they get a suffix that depends only on the name. So another event in
// the input can make a colliding identifier disappear, which stops the build of its user. But an
// identifier never silently means another event. Hooks have the names of their labels: PICK BEGIN
// becomes PickBegin. If several hooks have one label, all their names end in their numbers
// (State021, State030). A hook without a label is called by its number (Hook023). In a split
// output, where the group is the package, a type gets no prefix.
//
// # Byte order of text
//
// Records reach generated code in the byte order of the running machine. Otherwise runtime/bind
// relocates them. Rendering programs may look at bytes other than by element (a hex dump, an
// address, a load of another size). Such bytes must stay as recorded. Their fields are made opaque
// (element size 1), see opaque.go, and their bytes are read by env.BigEndian.
package gen
