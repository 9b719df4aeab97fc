/** Changes one character of the text for certain; replacing one by a random character might leave it unchanged. */
export function altered(text: string, at = 0): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
