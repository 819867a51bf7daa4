package ftrace

// position is the position of a stream in a sub-buffer.
type position struct {
	block   []byte
	off     int64
	next    int // of the sub-buffer in block
	page    page
	pageOff int64 // in the file; if packed, of the chunk
	inside  bool  // a page is being walked
	cut     bool  // the page is incomplete
	index   int   // of the next record in the page; counted if it is a part
}
