/** A column with its heading and values. */
export interface TextColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
}

/** Longer values are cut on a terminal; the other output formats have them in full. */
const LONGEST_CELL = 80;

/** Characters that are two cells wide on a terminal: East Asian wide and full-width characters, and most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Characters that a terminal interprets instead of showing them. */
const CONTROLS = /\p{Cc}/gu;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function textTable(columns: readonly TextColumn[]): string[] {
  const shown = columns.map(({ title, cells, right = false }) => {
    const texts = [plain(title), ...cells.map((cell) => shortened(plain(cell)))];
    return { texts, right, width: texts.reduce((most, text) => Math.max(most, widthOf(text)), 0) };
  });
  const lines = shown[0]?.texts.length ?? 0;
  return Array.from({ length: lines }, (_, i) =>
    shown
      .map(({ texts, right, width }) => padded(texts[i] ?? '', width, right))
      .join('  ')
      .trimEnd(),
  );
}

export const plain = (text: string): string =>
  text.replace(CONTROLS, (control) => ESCAPES[control] ?? `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Width in terminal cells. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

function padded(text: string, width: number, right: boolean): string {
  const pad = ' '.repeat(width - widthOf(text));
  return right ? pad + text : text + pad;
}

function shortened(text: string): string {
  if (text.length <= LONGEST_CELL) return text;
  return `${[...text].slice(0, LONGEST_CELL - 1).join('')}…`;
}
