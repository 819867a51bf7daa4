package perfetto

import (
	"bytes"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields of the written messages, with their names in Perfetto's protos/perfetto (August
// 2026).
const (
	tracePacket = 1 // Trace.packet

	packetFtraceEvents       = 1 // TracePacket
	packetProcessTree        = 2
	packetClockSnapshot      = 6
	packetTimestamp          = 8
	packetSequence           = 10 // trusted_packet_sequence_id
	packetTrackEvent         = 11
	packetInternedData       = 12
	packetSequenceFlags      = 13
	packetSystemInfo         = 45
	packetTimestampClock     = 58
	packetPerfSample         = 66
	packetDefaults           = 59
	packetTrackDescriptor    = 60
	packetTranslation        = 82
	packetMachine            = 98
	packetGenericTaskRename  = 120
	packetFirstOnSequence    = 87
	sequenceCleared          = 1 // values of sequence_flags
	sequenceNeeds            = 2
	bundleCPU                = 1 // FtraceEventBundle
	bundleEvent              = 2
	bundleLost               = 3
	bundleGenericDescriptors = 11

	eventTimestamp = 1 // FtraceEvent
	eventPID       = 2

	defaultsTrackEvent = 11 // TracePacketDefaults
	defaultsPerfSample = 12

	sampleCPU       = 1 // PerfSample
	samplePID       = 2
	sampleTID       = 3
	sampleCallstack = 4
	sampleMode      = 5  // cpu_mode
	sampleCount     = 6  // timebase_count
	sampleLost      = 17 // kernel_records_lost
	modeKernel      = 1  // values of cpu_mode
	modeUser        = 2
	sampleTimebase  = 1  // PerfSampleDefaults
	timebaseName    = 10 // PerfEvents.Timebase

	eventCategory   = 3 // TrackEvent: category_iids
	eventAnnotation = 4
	eventType       = 9
	eventName       = 10 // name_iid
	eventTrack      = 11
	eventCounter    = 30 // counter_value
	eventCallstack  = 56 // callstack_iid
	typeBegin       = 1  // values of type
	typeEnd         = 2
	typeInstant     = 3
	typeCounter     = 4

	annotationNameID  = 1 // DebugAnnotation
	annotationBool    = 2
	annotationUint    = 3
	annotationPointer = 7
	annotationInt     = 4
	annotationDouble  = 5
	annotationString  = 6
	annotationEntry   = 11 // dict_entries, a member
	annotationArray   = 12

	descriptorUUID      = 1 // TrackDescriptor
	descriptorTrackName = 2
	descriptorParent    = 5 // parent_uuid
	descriptorCounter   = 8
	descriptorProcess   = 3
	descriptorThread    = 4
	trackPID            = 1 // ProcessDescriptor, ThreadDescriptor
	trackTID            = 2
	trackThreadName     = 5
	trackProcessName    = 6

	genericID         = 1 // FtraceEventBundle.GenericEventDescriptor
	genericDescriptor = 2
	genericGroup      = 3

	descriptorName  = 1 // google.protobuf.DescriptorProto
	descriptorField = 2
	fieldName       = 1 // google.protobuf.FieldDescriptorProto
	fieldNumber     = 3
	fieldLabel      = 4
	fieldType       = 5
	labelOptional   = 1
	labelRepeated   = 3
	typeInt64       = 3
	typeUint64      = 4
	typeString      = 9

	internedEventCategories = 1 // InternedData
	internedEventNames      = 2
	internedAnnotationNames = 3
	internedFunctionNames   = 5
	internedFrames          = 6
	internedCallstacks      = 7
	internedBuildIDs        = 16
	internedPaths           = 17
	internedMappings        = 19
	internedKernelSymbols   = 26
	internedID              = 1 // of all entries
	internedText            = 2

	mappingBuildID  = 2 // Mapping
	mappingPath     = 7
	frameFunction   = 2 // Frame
	frameMapping    = 3
	frameAddress    = 4 // rel_pc
	callstackFrames = 2 // Callstack

	treeProcess   = 1 // ProcessTree
	treeThread    = 2
	processPID    = 1 // ProcessTree.Process
	processCmd    = 3
	processIsComm = 9
	threadTID     = 1 // ProcessTree.Thread
	threadName    = 2
	threadTGID    = 3

	translationSlices = 4 // TranslationTable.slice_name
	translationNames  = 1 // SliceNameTranslationTable.raw_to_deobfuscated_name
	mapKey            = 1 // of its entries
	mapValue          = 2

	renameTID  = 1 // GenericKernelTaskRenameEvent
	renameComm = 2

	snapshotClock   = 1 // ClockSnapshot
	snapshotPrimary = 2
	clockID         = 1 // ClockSnapshot.Clock
	clockTime       = 2
	clockRelative   = 3

	systemUtsname = 1 // SystemInfo
	systemCPUs    = 8
	systemMachine = 17
	utsSystem     = 1 // Utsname
	utsRelease    = 3
	utsMachine    = 4
)

// Clocks of Perfetto (builtin_clock.proto).
const (
	clockRealtime     = 1
	clockMonotonic    = 3
	clockMonotonicRaw = 5
	clockBoottime     = 6
)

// appendUint appends a field of any integer type. A negative integer is extended to 64 bits.
func appendUint(dst []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.VarintType), v)
}

// appendBytes appends a field of type bytes, or a message.
func appendBytes[T []byte | string](dst []byte, field protowire.Number, v T) []byte {
	dst = protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.BytesType), uint64(len(v)))
	return append(dst, v...)
}

// appendText appends a field of type string. Runs of bytes that are not UTF-8 become U+FFFD.
func appendText[T []byte | string](dst []byte, field protowire.Number, v T) []byte {
	dst, at := begin(dst, field)
	return end(validate(append(dst, v...), at), at)
}

// validate replaces invalid UTF-8 from index at on.
func validate(dst []byte, at int) []byte {
	if text := dst[at:]; !utf8.Valid(text) {
		return append(dst[:at], bytes.ToValidUTF8(text, []byte("\uFFFD"))...) // a copy
	}
	return dst
}

// begin begins a message within another and returns the index of its content. end completes it.
func begin(dst []byte, field protowire.Number) ([]byte, int) {
	dst = append(protowire.AppendTag(dst, field, protowire.BytesType), 0)
	return dst, len(dst)
}

// end writes the length of the data from index at on. The byte before it is reserved for the
// length.
func end(dst []byte, at int) []byte {
	n := len(dst) - at
	if n < 0x80 {
		dst[at-1] = byte(n)
		return dst
	}
	more := protowire.SizeVarint(uint64(n)) - 1
	for range more {
		dst = append(dst, 0)
	}
	copy(dst[at+more:], dst[at:at+n])
	protowire.AppendVarint(dst[:at-1], uint64(n))
	return dst
}
