package aix

// doubt is the decision about bytes that may not be entries.
type doubt struct {
	guesses []guess // while parts are planned
	plans   []portion
	planned int  // how many of plans are done
	begun   bool // the first entry has been looked for
}
