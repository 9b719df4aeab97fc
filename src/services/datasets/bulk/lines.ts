const LINE_FEED = 0x0a;

/**
 * Splits a byte stream into lines without their line feeds. Only the incomplete last line is buffered; the error from `onTooLong` is thrown
 * if it exceeds `longest` bytes.
 */
export async function* linesOf(
  parts: AsyncIterable<Buffer>,
  longest: number,
  onTooLong: () => Error,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    length += piece.length;
    if (length > longest) throw onTooLong();
    if (piece.length > 0) held.push(piece);
  };
  const take = (): Buffer => {
    const line = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    held = [];
    length = 0;
    return line;
  };
  for await (const part of parts) {
    let from = 0;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, from)) {
      add(part.subarray(from, at));
      yield take();
      from = at + 1;
    }
    add(part.subarray(from));
  }
  if (length > 0) yield take();
}
