/** As much of a line is looked at as the API takes in one request: more of it would not change the answer. */
export const LONGEST_LINE = 50_000;

export interface Line {
  readonly text: string;
  /** There was more of it than is looked at. */
  readonly cut: boolean;
}

export interface LineSplitter {
  /** The lines that end within this part. */
  push(part: string): Line[];
  /** The last line, when no line feed ended it. */
  end(): Line[];
}

/** Cuts text that comes in parts at its line feeds. Of a line it never holds more than is looked at, however long the line is. */
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

/** A text that is there at once is one line, whatever is in it. */
export const wholeLine = (text: string, longest = LONGEST_LINE): Line =>
  text.length > longest ? cutTo(text, longest) : { text, cut: false };

/** A cut in the middle of a character that takes two units would leave half of it, which goes as well. */
const cutTo = (text: string, longest: number): Line => ({
  text: text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, ''),
  cut: true,
});
