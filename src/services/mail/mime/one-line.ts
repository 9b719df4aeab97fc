/** A member that is left out where there is no value, so that two readings of the same input are equal. */
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

/** For what becomes a header, a subject or a name: line breaks and other control characters are a blank, however they came in. */
export const oneLine = (text: string): string => text.replace(CONTROLS, ' ').trim();

/** The first characters of a text. A character of two code units is not cut in half: neither JSON nor a database can keep the half. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
