import { describe, expect, it } from 'vitest';
import { SpellingCache } from '../../../src/kernel/store/typed/spelling-cache.ts';
import { TextColumn } from '../../../src/kernel/store/typed/text-column.ts';

const DEFINITION = { name: 'c1', type: 'text', unique: false } as const;

const learned = (texts: readonly string[], spelled: Readonly<Record<string, string>> = {}) => {
  const rows = texts.map((text) => [text]);
  const column = new TextColumn(DEFINITION, rows, 0, undefined);
  for (const [fold, text] of Object.entries(spelled)) column.firsts.set(fold, text);
  return { ...column.learn(), values: column.values };
};

describe('the cached spellings of a column', () => {
  it('are short texts in the spelling that came first', () => {
    const { texts } = learned(['a', 'A ', 'b'], { a: 'A' });
    expect([...texts]).toEqual([
      ['a', { key: 'a', text: 'A' }],
      ['A ', { key: 'a', text: 'A' }],
      ['b', { key: 'b', text: 'b' }],
    ]);
  });

  it('are no texts that are long by the blanks at their end, as they came or as they are shown', () => {
    const long = `x${' '.repeat(3999)}`;
    expect([...learned(['a', long]).texts.keys()]).toEqual(['a']);
    const { texts, values } = learned(['a', 'x'], { x: long });
    expect([...texts.keys()]).toEqual(['a']);
    expect(values).toEqual(['a', long]);
  });

  it('counts for the definition that it was learned under', () => {
    const cache = new SpellingCache();
    cache.learn('t', 'one', [learned(['a'])]);
    expect(cache.column('t', 'one', 'c1')?.texts.get('a')).toEqual({ key: 'a', text: 'a' });
    expect(cache.column('t', 'two', 'c1')).toBeUndefined();
  });
});
