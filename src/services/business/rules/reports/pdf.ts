/** A minimal PDF: lines of text on pages. */

const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 56;
const LINE_HEIGHT = 15;
const LINES_ON_A_PAGE = Math.floor((PAGE_HEIGHT - 2 * MARGIN) / LINE_HEIGHT);

/** The columns of a line, each with its distance from the left. */
export type TextLine = readonly { readonly at: number; readonly text: string }[];

export function pdf(lines: readonly TextLine[]): Buffer {
  const pages: TextLine[][] = [];
  for (let start = 0; start < Math.max(lines.length, 1); start += LINES_ON_A_PAGE) {
    pages.push(lines.slice(start, start + LINES_ON_A_PAGE));
  }
  const first = 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  for (const [index, page] of pages.entries()) {
    const content = page.map(drawn).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  return assembled(objects);
}

function drawn(line: TextLine, index: number): string {
  const y = PAGE_HEIGHT - MARGIN - index * LINE_HEIGHT;
  return line.map(({ at, text }) => `BT /F1 10 Tf ${MARGIN + at} ${y} Td (${escaped(text)}) Tj ET`).join('\n');
}

/** One byte per character, so that lengths in bytes are correct; characters that the font lacks become question marks. */
const escaped = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?').replaceAll(/[\\()]/g, (special) => `\\${special}`);

function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
