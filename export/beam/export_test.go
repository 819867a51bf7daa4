package beam

// NewField is newField.
var NewField = newField
