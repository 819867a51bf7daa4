package callstack

// Slowly makes a player examine every record without shortcuts.
func (p *Player) Slowly() { p.quick, p.skimming = false, false }
