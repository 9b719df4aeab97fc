/** An object with the property, or an empty object if the value is missing, so that two parses of the same input are deeply equal. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  const member: { [N in Name]?: Value } = {};
  if (value !== undefined) member[name] = value;
  return member;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go.
const CONTROLS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;

/** Makes text safe for a header, a subject or a name: line breaks and other control characters become a blank. */
export const oneLine = (text: string): string => text.replace(CONTROLS, ' ').trim();

/** Cuts a text without splitting a surrogate pair: neither JSON nor a database can store half of one. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
