package perf

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLateDescriptions: a description of the recording after its first sample is not used, and is
// damage with its name and place. An empty feature ends the features and is not reported.
func TestLateDescriptions(t *testing.T) {
	attr := madeAttr(HasTID|HasTime, uint64(SampleIDAll))
	release := madeRecord(HeaderFeature, 0, int(FeatureRelease), 3, "6.1")
	release[16], release[17] = 8, 0 // bytes of the text
	early := madePipe(attr, release, madeRecord(HeaderEventType, 0, 0, "cycles"),
		madeRecord(SampleKind, 0, pair(7, 7), 10))
	late := [][]byte{
		madePipe(attr)[pipeHeader:], madeRecord(HeaderEventType, 0, 0, "other"),
		madeRecord(EventUpdate, 0, nameUpdate, 1, "other"), madeRecord(HeaderFeature, 0, int(FeatureHost), 1, "x"),
		append(madeRecord(TracingData, 0, 8), 1, 2, 3, 4, 5, 6, 7, 8),
	}
	names := []string{"ATTR", "EVENT_TYPE", "EVENT_UPDATE", "FEATURE", "TRACING_DATA"}
	data := append(early, madeRecord(HeaderFeature, 0, int(FeatureLineSize)+1)...)
	var places []int64
	for _, b := range late {
		places = append(places, int64(len(data)))
		data = append(data, b...)
	}
	r := openMade(t, data)
	if r.attrs[0].Name != "cycles" || len(r.attrs) != 1 {
		t.Errorf("%d attributes, %s", len(r.attrs), r.attrs[0].Name)
	}
	if n := len(toldBy(r)); n != 3+1+4 {
		t.Errorf("%d records", n)
	}
	var got []int64
	for i, d := range r.Damage() {
		got = append(got, d.Offset)
		if want := "record " + names[i] + " after the first sample"; !errors.Is(d, ErrUnsupported) ||
			!strings.Contains(d.Error(), want) {
			t.Errorf("%v, want %s", d, want)
		}
	}
	if d := cmp.Diff(places, got); d != "" {
		t.Error(d)
	}
}

// TestEventTypes: an event type names the attributes with its config, if they all have one type.
func TestEventTypes(t *testing.T) {
	attr := madeAttr(HasTID, 0)
	software := madeAttr(HasTID, 0)
	software[0] = 1
	for _, c := range []struct {
		second []byte
		want   string
	}{{attr, "ticks"}, {software, "cycles:HG"}} { // the latter is perf's own name
		r := openMade(t, madePipe(attr, madePipe(c.second)[pipeHeader:], madeRecord(HeaderEventType, 0, 0, "ticks")))
		if got := r.attrs[0].Name; got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
