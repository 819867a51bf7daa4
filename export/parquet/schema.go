package parquet

import (
	"reflect"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// leaf is a column of a file and the source of its values.
type leaf struct {
	field  *field
	column int // index in the batch
	as     conversion
	value  *field   // field of the values; for a list, of its elements
	path   []string // the names of structures and lists around it, and its own
	gaps   []bool   // by name in path: whether it is a structure that may be missing
	lists  []int    // indexes in path of the lists around the value; a list of lists has one index
	max    byte     // definition level of values
	dict   bool
}

// full returns the path with the names that Parquet gives to the parts of a list.
func (l *leaf) full() []string {
	path := slices.Clone(l.path)
	for _, at := range slices.Backward(l.lists) {
		path = slices.Insert(path, at+1, "list", "element")
	}
	return path
}

// A conversion computes the values of a leaf from the column of its field.
type conversion uint8

const (
	asIs        conversion = iota
	asWall                 // the wall-clock time
	asRecording            // the ID of the recording
	asNames                // the names of the values
	asElements
)

// leaves returns the columns of a file for the fields of a table.
func leaves(fields []*field) []leaf {
	var list []leaf
	taken := namesOf(fields)
	for i, f := range fields {
		l := leaf{field: f, column: i, value: f, path: append([]string{f.name}, f.within...),
			gaps: append(slices.Clone(f.around), false), max: f.level()}
		for l.value.storage == repeated {
			l.as, l.lists = asElements, append(l.lists, len(l.path)-1)
			l.value = l.value.elem
			l.max += 1 + l.value.level()
			if members := l.value.member; members != nil {
				l.path, l.gaps = append(l.path, members...), append(append(l.gaps, l.value.around...), false)
			}
		}
		list = append(list, l)
		if f.hasWall {
			w := l
			w.as, w.path = asWall, []string{"wall"}
			list = append(list, w)
		}
		if f.owner != nil {
			list = append(list, leaf{field: f, column: i, value: f, as: asRecording, path: []string{"recording"},
				gaps: []bool{false}, dict: true})
		}
		if f.names != nil {
			n := l
			n.as, n.path = asNames, slices.Clone(l.path)
			own := &n.path[len(n.path)-1]
			if names := taken[structureOf(n.path)]; f.within == nil {
				*own = names.take(*own + "_name")
			} else {
				*own = names.number(*own + "_name")
			}
			list = append(list, n)
		}
	}
	return list
}

// namesOf returns the names of columns, and of the members of each structure.
func namesOf(fields []*field) map[string]columnNames {
	all := map[string]columnNames{"": newNames()}
	for _, f := range fields {
		path := append([]string{f.name}, f.within...)
		for i := range path {
			key := structureOf(path[:i+1])
			if all[key] == nil {
				all[key] = columnNames{}
			}
			all[key][strings.ToLower(path[i])] = true
		}
	}
	return all
}

// structureOf returns the key of the structure around the last name of a path, or "" for a
// top-level column.
func structureOf(path []string) string { return strings.Join(path[:len(path)-1], "\x00") }

// schema returns the schema of a file. choose has set the encodings of the leaves.
func schema(leaves []leaf) *pq.Schema { return pq.NewSchema("event", &group{fields: nodes(leaves, 0)}) }

// nodes returns the nodes of leaves in one structure. depth is the index of their names in the
// paths.
func nodes(leaves []leaf, depth int) (list []pq.Field) {
	for len(leaves) > 0 {
		l, n := &leaves[0], 1
		name := l.path[depth]
		for n < len(leaves) && len(l.path) > depth+1 && len(leaves[n].path) > depth+1 && leaves[n].path[depth] == name {
			n++
		}
		var node pq.Node
		if len(l.path) == depth+1 {
			node = l.node()
		} else {
			node = &group{fields: nodes(leaves[:n], depth+1)}
		}
		if l.gaps[depth] {
			node = pq.Optional(node)
		}
		list = append(list, &child{l.inLists(node, depth), name})
		leaves = leaves[n:]
	}
	return list
}

// inLists adds the lists at one depth of the path around a node.
func (l *leaf) inLists(node pq.Node, depth int) pq.Node {
	around := make([]*field, len(l.lists))
	for i, f := 0, l.field; i < len(around); i, f = i+1, f.elem {
		around[i] = f
	}
	for i, at := range slices.Backward(l.lists) {
		if at != depth {
			continue
		}
		if node = pq.List(node); around[i].optional {
			node = pq.Optional(node)
		}
	}
	return node
}

// node returns the node of the values.
func (l *leaf) node() pq.Node {
	f := l.field
	node, optional := f.node, f.optional
	switch l.as {
	case asWall:
		node = pq.Timestamp(pq.Nanosecond)
	case asNames:
		node = pq.String()
	case asRecording:
		node, optional = pq.String(), false
	case asElements:
		node, optional = l.value.node, l.value.optional
	}
	node = pq.Encoded(node, l.encoding())
	switch {
	case optional:
		return pq.Optional(node)
	case l.as == asElements && l.lists[len(l.lists)-1] == len(l.path)-1:
		return node
	}
	return pq.Required(node)
}

// encoding returns the encoding of the values.
func (l *leaf) encoding() encoding.Encoding {
	f := l.value
	switch {
	case l.dict:
		return &pq.RLEDictionary
	case l.as == asNames || l.as != asWall && f.storage == text:
		return &pq.DeltaLengthByteArray
	case f.float, f.boolean():
		return &pq.Plain
	}
	return &pq.DeltaBinaryPacked
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

// child is a field of a group.
type child struct {
	pq.Node
	name string
}

// Name implements pq.Field.
func (m *child) Name() string { return m.name }

// Value implements pq.Field. Rows are never Go values.
func (m *child) Value(reflect.Value) reflect.Value { return reflect.Value{} }
