// Package gen writes Go packages that decode trace events.
//
// [Generate] takes the events of an [ir.Unit] and returns files: a struct for
// each event, a function Bind, and optionally the text of each event. [GenerateInto]
// writes a decoder that fills structs which the user declared. Generated code
// imports only packages below runtime. The same input gives the same bytes.
//
// # What is generated
//
// A package has a struct for each event and a variable for it (SchedSwitchEvent), a function Bind,
// a table of the compiled layouts, and, when asked for, the text of every event. Bind returns a
// [bind.Decoder], which has all that does not depend on the events: the loop over records,
// statistics, errors.
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
// Containers pass over the records of events that were not asked for.
//
// Generated code imports runtime packages only. Two constants stop the compiler when it and
// runtime/bind do not fit together ([gencode.EnforceVersion]). Nothing in this package depends on a
// system: [ir.Unit] names the packages that read its recordings, and says whether events have
// fields at offsets or are read from front to back.
//
// # Fields at offsets
//
// The struct is laid over the record with explicit padding (model.go, structs.go). An event with
// data elsewhere in the record is a struct of such fields, by pointer, and the record, so that
// methods return those data. The way from record to struct exists twice. In *_unsafe.go the record
// is the struct: runtime/bind returns a pointer into it. *_purego.go (build tag purego, and
// machines that cannot load unaligned words) decodes into a struct. Both have the same API.
//
// # From front to back
//
// Values that lie one after another, or where a program finds them, go to a struct of their own by
// a method Decode (values.go). Up to the first string offsets are constants, after it a local
// counts, and the length is checked once for each stretch that ends with a string. The call of a
// function and the return from it are two events. A template of AIX has one struct and one function
// that fills it. What depends on the environment is counted in words, the head of an event and the
// place where its data begin, which the entry knows; environments that differ in more have
// functions of their own (merge.go, environments.go). A value of an arm comes with a Has field; one
// in a loop is a slice whose memory the Decoder keeps. Enumerations become types with constants,
// and so do the cases of a switch and the flags of a template; numbers that do not depend on the
// recording have a type of the runtime (enums.go). A record that ends too early has no event, or a
// *bind.Short.
//
// # Structs of the user's own
//
// [ReadStructs] reads a package that somebody wrote and finds the structs that say which event they
// are for; [GenerateInto] writes a decoder of these events into that package, which fills the
// fields that the structs have, and nothing else (into*.go):
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
// The directive names an event: GROUP:EVENT or EVENT; a function, MODULE:FUNCTION, or its return,
// with /exit after it; a marker, CHANNEL.MARKER; a hook by its id or label. A struct is for one
// event: type Waking Wakeup, with a directive of its own, is one for another with the same fields.
//
// A field takes the value that its tag names, else the one whose name is that of the field,
// whatever its case and underscores. In tags, _ may stand for a space. @cpu, @id, @lost, @stream,
// @task and @time are those of the record ([record.Record]): of LTTng @task is -1 unless threads
// are selected, or Decode gets the records that MergeTasks of the recording returns. Fields of
// embedded structs of the package are filled as its own.
//
// What fills what:
//
//   - An integer goes to an integer or to a type declared as one, such as that of an enumeration or of flags. A wider one costs nothing to ask for; one that cannot
//     hold every value needs the option narrow, and gets the low bits. int, uint and uintptr have 32 bits here.
//   - An integer goes to bool, to say whether it is not 0, by the option narrow unless the description has a bool.
//   - An integer goes to time.Duration, or a type declared as it, if an option says its unit (ns, us, ms, s); the nanoseconds of @time need none. What no Duration can hold becomes the longest or
//     the shortest one.
//   - A float goes to float64, one of 4 bytes to float32 too.
//   - A text goes to string, []byte or [N]byte, up to its NUL; in an array zeros follow. Bytes go to []byte or [N]byte. An array that may be too short needs narrow.
//   - A stack or an array of integers goes to a slice of integers of any size; one of fixed length goes to an array as well.
//   - A value that a record may have several times (in a loop of a template) goes to a slice.
//   - A value that a record may lack (in an arm of a template) wants a bool beside it, HasX or a field with the option ok; or the option zero says that 0 is as good.
//
// The struct belongs to the Decoder and is the same for every record; so are slices of integers,
// whose memory grows once. []byte is a part of the record. All this is valid until the next step.
// Strings stay: the Decoder remembers those that it made last, so that names that come again take
// no memory. Fields with the tag "-" are never touched. Nothing is allocated for an event but
// strings that are new.
//
// Where a recording has a field elsewhere, in another width or byte order, records are relocated as
// those of all decoders are; what is missing is missing only if a struct has it. A record that ends
// too early has no event, unless its struct takes nothing from a payload. A number that is wider
// than in the recording that the decoder was made of, as an unsigned long of a machine of 64 bits
// is beside one of 32, is read as long as the field holds every one (a uint64, a time.Duration) or
// has the option narrow, which a word of 32 bits may have for that. Otherwise Bind returns
// bind.ErrNarrow, unless bind.Narrow is an option.
//
// The file has the build constraints of all files that declare what it fills, in their names or in
// //go:build: a struct of a file for Linux alone has a decoder for Linux alone. Structs that are to
// have theirs elsewhere need another one, chosen by -e and named by --stem and -o.
//
// What does not fit is an error at FILE:LINE:COL of the user's source with a code (into-directive,
// into-event, into-field, into-tag, into-type, into-narrow, into-optional, into-name), all of them
// at once. The package need not compile: what the decoder of an earlier run has wrong, or a missing
// one, is passed over, and other type errors are warnings ([Structs.Check]).
//
// # Names
//
// names.go and names_labels.go alone make identifiers; whatever a description says, no text of it
// becomes code any other way. Two events of different groups with one name both get their group as
// a prefix; two names that become one identifier get a suffix that depends on nothing but the name.
// So another event in the input can make a colliding identifier go away, which stops the build of
// its user, but it never lets an identifier silently mean another event. Hooks have the names of
// their labels: PICK BEGIN becomes PickBegin. All hooks of one label end in their numbers
// (State021, State030), and one without a label is called by its number (Hook023). A type gets no
// prefix in a split output, where the group is the package.
//
// # Byte order of text
//
// Records reach generated code in the byte order of the machine that runs it, because runtime/bind
// relocates them otherwise. Bytes that a rendering program looks at in another way than by element
// (a hex dump, an address, a load of another size) must stay as recorded: their fields are made
// opaque (element size 1), see opaque.go, and their bytes are read by env.BigEndian.
package gen
