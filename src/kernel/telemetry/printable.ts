/** What a terminal acts on, and what shows text in another order than it is written in. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The same without what a text of several lines is made of. */
const CONTROLS_IN_LINES = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** One line of text with escapes instead of control characters: addresses and messages come from anybody. JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(CONTROLS, escaped);

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.replace(CONTROLS_IN_LINES, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
