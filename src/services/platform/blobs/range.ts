/** Both ends are inclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Numbers larger than any file are valid. */
const RANGE = /^bytes=(\d{0,40})-(\d{0,40})$/i;

/**
 * The range that a header asks for (RFC 9110, 14.2). `undefined`: the whole file, also if the header is invalid or has several ranges;
 * `beyond`: the range is outside of the file.
 */
export function rangeOf(header: string | string[] | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first, last] = typeof header === 'string' ? (RANGE.exec(header.trim()) ?? []) : [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    // A suffix range: the last `count` bytes.
    const count = Number(last);
    return count === 0 || size === 0 ? 'beyond' : { from: Math.max(0, size - count), to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? 'beyond' : { from, to };
}
