/** The API's limit for one text; more of a line would not change the answer. */
export const LONGEST_LINE = 50_000;

export interface Line {
  readonly text: string;
  /** True if the line was longer than the limit. */
  readonly cut: boolean;
}

export interface LineSplitter {
  /** Returns the lines that end in this part. */
  push(part: string): Line[];
  /** Returns the last line if it did not end with a line feed. */
  end(): Line[];
}

/** Splits streamed text at line feeds. Keeps at most `longest` characters of a line in memory. */
export function lineSplitter(longest = LONGEST_LINE): LineSplitter {
  let held = '';
  let length = 0;
  let endsWithReturn = false;

  const add = (piece: string): void => {
    if (piece === '') return;
    if (held.length < longest) held += piece.slice(0, longest - held.length);
    length += piece.length;
    endsWithReturn = piece.endsWith('\r');
  };
  const take = (): Line => {
    const whole = endsWithReturn ? length - 1 : length;
    const line = whole > longest ? cutTo(held, longest) : { text: held.slice(0, whole), cut: false };
    held = '';
    length = 0;
    endsWithReturn = false;
    return line;
  };

  return {
    push(part) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', from)) {
        add(part.slice(from, at));
        lines.push(take());
        from = at + 1;
      }
      add(part.slice(from));
      return lines;
    },
    end: () => (length === 0 ? [] : [take()]),
  };
}

/** A complete text is one line, even if it contains line feeds. */
export const wholeLine = (text: string, longest = LONGEST_LINE): Line =>
  text.length > longest ? cutTo(text, longest) : { text, cut: false };

/** Removes half of a surrogate pair that the cut would leave at the end. */
const cutTo = (text: string, longest: number): Line => ({
  text: text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, ''),
  cut: true,
});
