/** Both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Numbers beyond every size are numbers, too. */
const RANGE = /^bytes=(\d{0,40})-(\d{0,40})$/i;

/**
 * The range that a header asks for (RFC 9110, 14.2). `undefined`: all of it, which is also the answer to what is no range and to several of them;
 * `beyond`: nothing of the file is in it.
 */
export function rangeOf(header: string | string[] | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first, last] = typeof header === 'string' ? (RANGE.exec(header.trim()) ?? []) : [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    // The last so many bytes.
    const count = Number(last);
    return count === 0 || size === 0 ? 'beyond' : { from: Math.max(0, size - count), to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? 'beyond' : { from, to };
}
