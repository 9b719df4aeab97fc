/** The items from the start of the list that fit into so many bytes of JSON. An item that alone does not fit is skipped. */
export function fitting<T>(
  items: Iterable<T>,
  { most, bytes }: { readonly most: number; readonly bytes: number },
): T[] {
  const taken: T[] = [];
  let left = bytes;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (size > bytes) continue;
    if (size > left || taken.length === most) break;
    taken.push(item);
    left -= size;
  }
  return taken;
}
