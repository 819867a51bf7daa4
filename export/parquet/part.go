package parquet

import (
	"bufio"
	"os"
	"sync"

	pq "github.com/parquet-go/parquet-go"
)

// part is a file of a data set.
type part struct {
	path   string // path during writing
	event  string
	date   string
	number int
	meta   map[string]string
	fields []*field

	begun chan struct{} // closed when writer is set
	last  chan struct{} // closed when the previous row group is written

	leaves []leaf
	writer *pq.GenericWriter[any]
	out    *output

	rows        int64
	first, till uint64
	bytes       int64
}

// begin opens the file for rows such as r. last holds the last rows of r.
func (p *part) begin(r *rows, last *batch, e *encoder) error {
	some, err := r.sample(last, e)
	if err != nil {
		return err
	}
	p.leaves = leaves(p.fields)
	choose(p.leaves, some)
	p.out = &output{path: p.path}
	options := []pq.WriterOption{
		schema(p.leaves), pq.Compression(codec), pq.PageBufferSize(pageBytes), pq.WriteBufferSize(0),
		pq.DataPageStatistics(false),
		pq.CreatedBy("tracec", "1", "0"), pq.BloomFilters(blooms(p.leaves)...),
	}
	for k, v := range p.meta {
		options = append(options, pq.KeyValueMetadata(k, v))
	}
	p.writer = pq.NewGenericWriter[any](p.out, options...)
	return nil
}

// blooms returns the filters of a file. They are for columns that have a dictionary and in which
// people search for a value. A filter is made from the dictionary.
func blooms(leaves []leaf) []pq.BloomFilterColumn {
	var list []pq.BloomFilterColumn
	for i := range leaves {
		l := &leaves[i]
		common := l.as == asIs && (l.field.name == "task" || l.field.name == "process")
		if l.dict && l.as != asElements && (common || l.as == asNames || l.field.storage == text) {
			list = append(list, pq.SplitBlockFilter(bloomBits, l.full()...))
		}
	}
	return list
}

// write encodes rows as a row group, after all row groups that were begun earlier.
func (p *part) write(e *encoder, r *rows, last *batch, before <-chan struct{}) error {
	group := p.writer.BeginRowGroup()
	err := r.batches(last, e, func(b *batch) error { return e.encode(group.ColumnWriters(), p.leaves, b) })
	if err == nil {
		err = group.Flush()
	}
	<-before
	if err != nil {
		return err
	}
	if err := p.out.open(); err != nil {
		return err
	}
	_, err = group.Commit()
	if e := p.out.close(); err == nil {
		err = e
	}
	return err
}

// end writes the end of the file.
func (p *part) end() error {
	if err := p.out.open(); err != nil {
		return err
	}
	err := p.writer.Close()
	if e := p.out.close(); err == nil {
		err = e
	}
	p.bytes = p.out.size
	p.writer, p.leaves, p.fields = nil, nil, nil
	return err
}

// output is a file that is open only during a write, since there may be thousands.
type output struct {
	path string
	file *os.File
	buf  *bufio.Writer
	size int64
}

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 256<<10) }}

func (o *output) open() (err error) {
	flags := os.O_WRONLY | os.O_APPEND
	if o.size == 0 {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	if o.file, err = os.OpenFile(o.path, flags, 0o666); err != nil {
		return err
	}
	o.buf = buffers.Get().(*bufio.Writer)
	o.buf.Reset(o.file)
	return nil
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.buf.Write(b)
	o.size += int64(n)
	return n, err
}

func (o *output) close() error {
	err := o.buf.Flush()
	o.buf.Reset(nil)
	buffers.Put(o.buf)
	o.buf = nil
	if e := o.file.Close(); err == nil {
		err = e
	}
	return err
}
