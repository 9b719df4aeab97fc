import { describe, expect, it } from 'vitest';
import { rowProgress } from '../../../src/cli/datasets/progress.ts';
import { textTable, widthOf } from '../../../src/cli/datasets/text-table.ts';

describe('a table on the terminal', () => {
  it('is aligned, with numbers to the right, whatever the width of its characters', () => {
    const lines = textTable([
      { title: 'name', cells: ['a', '日本語', 'e\u0301te\u0301', '🐎'] },
      { title: 'n', cells: ['1', '22', '333', ''], right: true },
      { title: 'x', cells: ['y', 'y', 'y', 'y'] },
    ]);
    expect(lines).toEqual([
      'name      n  x',
      'a         1  y',
      '日本語   22  y',
      'e\u0301te\u0301     333  y',
      '🐎           y',
    ]);
    expect(new Set(lines.map(widthOf)).size).toBe(1);
  });

  it('shows control characters instead of sending them to the terminal, and cuts what is long', () => {
    const [, first = '', second = ''] = textTable([{ title: 't', cells: ['\u001b[31mred\n\u009b', 'x'.repeat(200)] }]);
    expect(first).toBe('\\x1b[31mred\\n\\x9b');
    expect(second).toHaveLength(80);
    expect(second.endsWith('x…')).toBe(true);
  });
});

describe('progress', () => {
  const terminal = (isTTY: boolean) => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    return { stream: { isTTY, write }, written: () => written };
  };

  it('shows rows, their rate and bytes, and is gone at the end', () => {
    const { CI } = process.env;
    delete process.env.CI;
    try {
      const { stream, written } = terminal(true);
      let now = 0;
      const progress = rowProgress(stream, false, () => now);
      progress.update(0.1, 10, 10);
      expect(written()).toBe('');
      now = 2000;
      progress.update(0.5, 50_000, 3 * 1024 * 1024);
      expect(written()).toContain('[###############...............] 50%  50,000 rows, 25,000 rows/s, 3.0 MB');
      const before = written();
      now = 2100;
      progress.update(0.6, 60_000, 4 * 1024 * 1024);
      expect(written()).toBe(before);
      progress.clear();
      expect(written().endsWith('\r\u001b[K')).toBe(true);
    } finally {
      if (CI !== undefined) process.env.CI = CI;
    }
  });

  it('is for terminals alone, and not where it is not wanted', () => {
    for (const [isTTY, quiet] of [
      [false, false],
      [true, true],
    ] as const) {
      const { stream, written } = terminal(isTTY);
      let now = 0;
      const progress = rowProgress(stream, quiet, () => now);
      now = 5000;
      progress.update(undefined, 1, 1);
      progress.clear();
      expect(written()).toBe('');
    }
  });
});
