package dump

// SmallPieces makes dump print even small files in pieces.
func SmallPieces() { pieceText = 1 << 10 }
