package dump

// SmallPieces has small files printed in pieces.
func SmallPieces() { pieceText = 1 << 10 }
