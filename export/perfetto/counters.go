package perfetto

import (
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
)

// counterKey identifies a counter: a field of a type of events on a track.
type counterKey struct{ track, typ, field int }

// counters appends values that uftrace has read at a call (read=proc/statm, read=pmu-cycle) as
// counters of the thread.
func (w *trackWriter) counters(it *timeline.Item) {
	ev := it.Event
	if ev == nil || it.Kind != timeline.Instant || ev.Type.System != "uftrace" {
		return
	}
	of, ok := strings.CutPrefix(ev.Type.Name, "read:")
	if !ok {
		return
	}
	for i := range ev.Type.Fields {
		f := &ev.Type.Fields[i]
		v, ok := ev.Bits(i)
		if !ok || f.Kind != tracec.Uint {
			continue
		}
		uuid := w.counter(counterKey{it.Track.Index, ev.Type.Number, i}, of+" "+f.Name)
		var packet, event int
		w.out, packet = begin(w.out, tracePacket)
		w.time(it.Time)
		w.out = append(w.out, packetSequence<<3, trackSequence, packetSequenceFlags<<3, sequenceNeeds)
		w.out, event = begin(w.out, packetTrackEvent)
		w.out = appendUint(appendUint(w.out, eventType, typeCounter), eventTrack, uuid)
		w.out = end(appendUint(w.out, eventCounter, v), event)
		w.out = end(w.out, packet)
	}
}

// counter returns the uuid of the track of a counter. It describes the track on first use.
func (w *trackWriter) counter(key counterKey, name string) uint64 {
	uuid, ok := w.counts[key]
	if ok {
		return uuid
	}
	uuid = firstCounter + uint64(len(w.counts))
	w.counts[key] = uuid
	w.descriptor(uuid, func() {
		w.out = appendUint(w.out, descriptorParent, w.tracks[key.track].uuid)
		w.out = appendText(w.out, descriptorTrackName, name)
		w.out = appendBytes(w.out, descriptorCounter, "")
	})
	return uuid
}
