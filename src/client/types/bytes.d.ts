/** `Buffer` where a program has the types of Node, else what every compiler knows. */
export type Bytes = typeof globalThis extends { Buffer: { alloc(size: number): infer NodeBuffer } }
  ? NodeBuffer
  : Uint8Array;
