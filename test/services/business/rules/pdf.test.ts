import { describe, expect, it } from 'vitest';
import { pdf } from '../../../../src/services/business/rules/reports/pdf.ts';

describe('a portable document', () => {
  it.each([
    ['nothing', 0, 1],
    ['a line', 1, 1],
    ['more than a page', 200, 5],
  ])('of %s finds each of its objects where it says', (_title, lines, pages) => {
    const text = pdf(
      Array.from({ length: lines }, (_, index) => [{ at: 0, text: `Line (${index}) \\ ä € 漢` }]),
    ).toString('latin1');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start, start + 5)).toBe('xref\n');
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    for (const [index, offset] of offsets.entries()) {
      expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\\n`));
    }
    expect(text).toContain(`/Count ${pages} >>`);
    for (const [, length, content] of text.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g)) {
      expect(content).toHaveLength(Number(length));
    }
  });
});
