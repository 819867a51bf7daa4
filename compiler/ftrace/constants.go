package ftrace

// constants are enumerators and macros that print formats name and no kernel resolves in the text.
// Only values that are part of the user-space API, or have never changed, belong here.
var constants = map[string]int64{}
