package aix

// doubt is the decision about bytes that may not be entries.
type doubt struct {
	guesses []guess // valid while parts are planned
	plans   []portion
	planned int  // number of plans that are done
	begun   bool // the first entry has been searched for
}
