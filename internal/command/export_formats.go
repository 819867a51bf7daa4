package command

// exportFormats are the formats of tracec export.
var exportFormats = []exportFormat{}
