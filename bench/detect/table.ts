/** A table, rendered for a terminal and for a page. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Explanation for readers. */
  readonly note?: string;
}

/** The first column has names, the others have figures. */
export function printable({ title, head, rows, note }: Table): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = lines.map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  );
  return [title, ...text.map((line) => `  ${line.trimEnd()}`), ...(note === undefined ? [] : [`  ${note}`]), ''].join(
    '\n',
  );
}

export function markdown({ title, head, rows, note }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, column) => (column === 0 ? '---' : '--:')).join('|')}|`;
  return [`## ${title}`, '', ...(note === undefined ? [] : [note, '']), line(head), rule, ...rows.map(line), ''].join(
    '\n',
  );
}
