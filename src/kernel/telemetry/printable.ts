/** Control characters, and characters that change the text direction. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The same without tabs and line breaks. */
const CONTROLS_IN_LINES = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes control characters, because addresses and messages may come from anyone. The result is one line; JSON stays equivalent. */
export const printable = (text: string): string => text.replace(CONTROLS, escaped);

/** Like `printable`, for a text of several lines. */
export const printableLines = (text: string): string => text.replace(CONTROLS_IN_LINES, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
