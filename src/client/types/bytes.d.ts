/** `Buffer` if the program has the types of Node, otherwise `Uint8Array`. */
export type Bytes = typeof globalThis extends { Buffer: { alloc(size: number): infer NodeBuffer } }
  ? NodeBuffer
  : Uint8Array;
