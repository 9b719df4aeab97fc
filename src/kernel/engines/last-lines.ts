/** The last so many lines of a text; all when no count is given. */
export function lastLines(text: Buffer, count: number | undefined): Buffer {
  if (count === undefined) return text;
  let from = text.length;
  // The line break at the very end ends the last line rather than beginning one more.
  // A negative place would be counted from the end.
  for (let left = count; left > 0 && from > 0; left--) from = from < 2 ? 0 : text.lastIndexOf(0x0a, from - 2) + 1;
  return text.subarray(from);
}
