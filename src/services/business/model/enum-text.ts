/** Enumeration members on the wire, escaped to identifiers: `Credit Memo` is `Credit_x0020_Memo`. */
import type { EnumType } from './types.ts';

const escapeCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Letters, digits and underscores stay; a leading digit is escaped, since no identifier begins with one. */
export const wireMember = (member: string): string => member.replace(/[^A-Za-z0-9_]|^[0-9]/g, escapeCharacter);

const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Unescaped, trimmed and in lower case, so that the empty text is the blank member. */
const folded = (text: string): string => unescaped(text).trim().toLowerCase();

const membersOf = new WeakMap<EnumType, ReadonlyMap<string, string>>();

function foldedMembers(type: EnumType): ReadonlyMap<string, string> {
  const known = membersOf.get(type);
  if (known) return known;
  const members = new Map(type.members.map((member) => [folded(member), member]));
  membersOf.set(type, members);
  return members;
}

/** Finds the member for a text, escaped or not, ignoring case. */
export const readMember = (type: EnumType, text: string): string | undefined => foldedMembers(type).get(folded(text));
