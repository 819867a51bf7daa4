package parquet

import (
	"reflect"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// leaf is a column of a file and where its values come from.
type leaf struct {
	field  *field
	column int // of the batch
	as     conversion
	path   []string
	max    byte // definition level of values
	dict   bool
}

// A conversion makes the values of a leaf from the column of its field.
type conversion uint8

const (
	asIs        conversion = iota
	asWall                 // the time of the day
	asRecording            // the ID of the recording
	asNames                // of the values
	asElements
)

// leaves returns the columns of a file for the fields of a table.
func leaves(fields []*field) []leaf {
	var list []leaf
	taken := newNames()
	for _, f := range fields {
		taken[f.name] = true
	}
	for i, f := range fields {
		l := leaf{field: f, column: i, path: []string{f.name}}
		if f.optional {
			l.max = 1
		}
		if f.storage == repeated {
			l.as, l.path = asElements, []string{f.name, "list", "element"}
			if l.max++; f.member != "" {
				l.path = append(l.path, f.member)
			}
			if f.elem.optional {
				l.max++
			}
		}
		list = append(list, l)
		if f.hasWall {
			w := l
			w.as, w.path = asWall, []string{"wall"}
			list = append(list, w)
		}
		if f.owner != nil {
			list = append(list, leaf{field: f, column: i, as: asRecording, path: []string{"recording"}, dict: true})
		}
		if f.names != nil {
			n := l
			n.as, n.path = asNames, []string{taken.take(f.name + "_name")}
			list = append(list, n)
		}
	}
	return list
}

// schema returns the schema of a file. choose has set the encodings of the leaves.
func schema(leaves []leaf) *pq.Schema {
	g := &group{}
	var structure *group // of the elements of a list
	for i := range leaves {
		l := &leaves[i]
		var enc encoding.Encoding = &pq.DeltaBinaryPacked
		switch {
		case l.dict:
			enc = &pq.RLEDictionary
		case l.as == asNames || l.as == asIs && l.field.storage == text || l.as == asElements && l.field.elem.storage == text:
			enc = &pq.DeltaLengthByteArray
		case l.field.float || l.as == asElements && l.field.elem.float:
			enc = &pq.Plain
		}
		f := l.field
		node := f.node
		switch l.as {
		case asWall:
			node = pq.Timestamp(pq.Nanosecond)
		case asNames, asRecording:
			node = pq.String()
		case asElements:
			node = f.elem.node
		}
		node = pq.Encoded(node, enc)
		if l.as == asElements {
			if f.elem.optional {
				node = pq.Optional(node)
			}
			if f.member != "" {
				if structure == nil {
					structure = &group{}
				}
				structure.fields = append(structure.fields, &member{node, f.member})
				if i+1 < len(leaves) && leaves[i+1].field.name == f.name {
					continue
				}
				node, structure = structure, nil
			}
			node = pq.List(node)
		}
		if f.optional && l.as != asRecording {
			node = pq.Optional(node)
		} else if l.as != asElements {
			node = pq.Required(node)
		}
		g.fields = append(g.fields, &member{node, l.path[0]})
	}
	return pq.NewSchema("event", g)
}

// group is a pq.Group that keeps the order of its fields.
type group struct {
	pq.Group
	fields []pq.Field
}

// Fields implements pq.Node.
func (g *group) Fields() []pq.Field { return g.fields }

// String implements pq.Node.
func (g *group) String() string { return "event" }

// GoType implements pq.Node. Rows are never Go values.
func (g *group) GoType() reflect.Type { return reflect.TypeFor[struct{}]() }

// member is a field of a group.
type member struct {
	pq.Node
	name string
}

// Name implements pq.Field.
func (m *member) Name() string { return m.name }

// Value implements pq.Field. Rows are never Go values.
func (m *member) Value(reflect.Value) reflect.Value { return reflect.Value{} }
