package gen

// DecoderReserved is what TestReserved compares with generated code.
var DecoderReserved = decoderReserved
