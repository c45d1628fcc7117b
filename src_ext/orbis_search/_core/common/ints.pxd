"""Fixed-width integers under short names."""

from libc.stdint cimport int8_t as i8, int16_t as i16, int32_t as i32, int64_t as i64
from libc.stdint cimport uint8_t as u8, uint16_t as u16, uint32_t as u32, uint64_t as u64
