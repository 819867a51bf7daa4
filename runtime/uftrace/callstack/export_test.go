package callstack

// Slowly has a player look at every record closely.
func (p *Player) Slowly() { p.quick, p.skimming = false, false }
