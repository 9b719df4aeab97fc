/** Returns the last `count` lines of a text; all of it if no count is given. */
export function lastLines(text: Buffer, count: number | undefined): Buffer {
  if (count === undefined) return text;
  let from = text.length;
  // A line break at the end of the text belongs to the last line. A negative position would count from the end.
  for (let left = count; left > 0 && from > 0; left--) from = from < 2 ? 0 : text.lastIndexOf(0x0a, from - 2) + 1;
  return text.subarray(from);
}
