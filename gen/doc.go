// Package gen writes Go packages that decode the events of an ir.Unit.
//
// # What is generated
//
// One struct an event, laid over the record with explicit padding; a Decoder with one callback an event,
// Bind, Run and their like; a table of the compiled layout for runtime/bind; and, when asked for, an
// AppendText method an event. The way from record to struct exists twice: *_unsafe.go points into the
// record, *_purego.go (build tag purego, and machines that cannot load unaligned words) decodes into a struct
// of the Decoder. Both have the same API.
//
// Generated code imports runtime packages only, and holds two constants that stop compiling when it and
// runtime/bind do not fit (bind.EnforceVersion).
//
// # Templates
//
// Templates of AIX have no struct over the record: their values lie at different places for hooks of 32 and 64 bits,
// generic or not, so a hook has one struct and up to four functions that fill it,
// each for one environment, with constant offsets and big-endian reads behind as few checks of the length as can be.
// A value of an arm comes with a Has field; one in a loop is a slice whose memory the Decoder keeps. A
// record that ends too early goes to Decoder.Short. AppendText renders what a template prints. Nothing needs to be bound:
// templates say what their hooks look like, recordings do not.
//
// # Calls
//
// A function whose arguments uftrace recorded is two events. It has
// two callbacks, for its call and for its return, and a struct for each that has values. Up to the first string of a payload offsets are
// constants, after it a local counts, and the length is checked once for each stretch that ends with a string. Functions
// are bound by name, once for all sessions of a recording: runtime/bind/calls keeps a table from symbol to callback, so that
// dispatch is one index. The layout of every payload is a table, too, and runtime/bind/sequence copies payloads that were
// recorded with other specs, word sizes or byte orders into it. Enumerations become types with constants.
//
// What is written for a payload (sequence.go, sequencecode.go) knows nothing of uftrace: it is for every event whose fields are
// sequential.
//
// # Markers
//
// A marker of LTTng has one
// callback and, if it has fields, one struct. Decoders bind by channel and name (runtime/bind/markers), to a table from Marker.Index.
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
