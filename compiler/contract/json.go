package contract

// Schema is the version of a Document. Later versions of the schema may add members, classes and
// kinds of changes.
const Schema = "tracec-diff/1"

// A Document is a comparison as JSON. Old and New name the sides. Counts has the number of events
// of every class. Events are the events with a change or another class than "binds". The events of
// the old side come first. Each side is in the order of names.
type Document struct {
	Schema string `json:"schema"`
	Tracec string `json:"tracec,omitempty"` // version of the comparing program
	// Limited reports that Events is incomplete.
	Limited bool           `json:"limited,omitempty"`
	Old     string         `json:"old"`
	New     string         `json:"new"`
	Counts  map[string]int `json:"counts"`
	Events  []EventChanges `json:"events"`
}

// EventChanges is an event of a Document. Lost are fields without which a decoder would bind. Error
// is the error of Bind.
type EventChanges struct {
	System  string   `json:"system,omitempty"` // the same as Group
	Group   string   `json:"group,omitempty"`
	Name    string   `json:"name"`
	Exit    bool     `json:"exit,omitempty"` // the return of a function of uftrace
	Class   string   `json:"class"`
	Lost    []string `json:"lost,omitempty"`
	Error   string   `json:"error,omitempty"`
	Changes []Change `json:"changes,omitempty"`
}

// Document returns the comparison in the form for JSON.
func (d *Diff) Document() *Document {
	doc := &Document{Schema: Schema, Old: d.Old.Name, New: d.New.Name, Counts: map[string]int{},
		Events: []EventChanges{}}
	for c, name := range classNames {
		doc.Counts[name] = d.Count(Class(c))
	}
	for i := range d.Results {
		r := &d.Results[i]
		if r.Class == Binds && len(r.Changes) == 0 {
			continue
		}
		e := EventChanges{System: r.Group, Group: r.Group, Name: r.Name, Exit: r.Exit, Class: r.Class.String(),
			Lost: r.Lost, Changes: r.Changes}
		if r.Err != nil {
			e.Error = r.Err.Error()
		}
		doc.Events = append(doc.Events, e)
	}
	return doc
}
