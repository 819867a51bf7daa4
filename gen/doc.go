// Package gen writes Go packages that decode the events of an ir.Unit.
//
// # What is generated
//
// For all events of all systems: one struct an event; a Decoder with one callback an event, Bind, Run and their like; loops over one event
// (SchedSwitchEvents) and over several (Events, which yields a Union); a table of the compiled layout for runtime/bind; and, when asked for, the
// text of every event, through Decoder.AppendText. A Decoder finds its events by name and runs on one table from record id to callback
// ([bind.Binding]). Run and loops have containers pass over the records that nobody wants, by their ids in the recording.
//
// A loop reads what its Walk chooses, which says afterwards what went wrong, as a bufio.Scanner does:
//
//	var w sched.Walk
//	for r, e := range sched.SchedSwitchEvents(rec, &w) {
//		fmt.Println(r.Time, e.NextPID)
//	}
//	if err := w.Err(); err != nil {
//		return err
//	}
//
// A loop over one event costs what a callback costs. One over several costs about an eighth more than callbacks do, on a recording of which all
// events are wanted. The 1,700 events of a whole kernel in one package compile in 4 s, of which loops are half.
//
// Generated code imports runtime packages only, and holds two constants that stop compiling when it and
// runtime/bind do not fit (bind.EnforceVersion). Nothing in this package depends on a system: ir.Unit names the packages that read
// its recordings, and says whether events have fields at offsets or are read from front to back.
//
// # Fields at offsets
//
// The struct is laid over the record with explicit padding (model.go, structs.go). An event with data elsewhere in the record is
// a struct of such fields, by pointer, and the record, so that methods return those data. The way from record to struct exists
// twice: *_unsafe.go points into the record, *_purego.go (build tag purego, and machines that cannot load unaligned words)
// decodes into a struct of the Decoder. Both have the same API.
//
// # From front to back
//
// Values that lie one after another, or where a program finds them, go to a struct of their own by a method Decode (values.go). Up to
// the first string offsets are constants, after it a local counts, and the length is checked once for each stretch that ends with a
// string. The call of a function and the return from it are two events. A template of AIX has
// one struct and up to four functions that fill it, one for each environment, with constant offsets. A value of an arm comes with
// a Has field; one in a loop is a slice whose memory the Decoder keeps. Enumerations become types with constants. A record that ends too early goes
// to Decoder.Short.
//
// # Names
//
// names.go alone makes identifiers; whatever a description says, no text of it becomes code any other way.
// Two events of different groups with one name both get their group as a prefix; two names that become one
// identifier get a suffix that depends on nothing but the name. So another event in the input can make a
// colliding identifier go away, which stops the build of its user, but it never lets an identifier silently
// mean another event. A type gets no prefix in a split output, where the group is the package.
//
// # Byte order of text
//
// Records reach generated code in the byte order of the machine that runs it, because runtime/bind relocates
// them otherwise. Bytes that a rendering program looks at in another way than by element (a hex dump, an
// address, a load of another size) must stay as recorded: their fields are made opaque (element size 1), see
// opaque.go, and their bytes are read by env.BigEndian.
package gen
