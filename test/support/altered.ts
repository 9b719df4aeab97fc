/** The text with one character changed for certain: whatever is put in the place of a random one may be what stood there. */
export function altered(text: string, at = 0): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
