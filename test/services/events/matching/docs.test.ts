import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATORS } from '../../../../src/services/events/matching/operators.ts';
import {
  MAX_ADVANCED_FILTERS,
  MAX_STRING_LENGTH,
  MAX_VALUES,
} from '../../../../src/services/events/matching/validate.ts';
import { anEvent, refusal } from './samples.ts';

const page = readFileSync(new URL('../../../../docs/services/events-filters.md', import.meta.url), 'utf8');

interface Example {
  readonly filter: object;
  readonly rows: readonly (readonly [event: string, outcome: string])[];
}

/** Marked filters, and the events of the table below each. */
const EXAMPLES: readonly Example[] = [
  ...page.matchAll(/<!-- filter -->\n```json\n([\s\S]*?)```\n\n([\s\S]*?)\n\n/g),
].map(([, json = '', table = '']) => ({
  filter: JSON.parse(json),
  rows: [...table.matchAll(/^\| `(\{.*\})` \| (.*) \|$/gm)].map(
    ([, event = '', outcome = '']) => [event, outcome] as const,
  ),
}));

describe('the page about filters', () => {
  it('has examples', () => {
    expect(EXAMPLES.map(({ rows }) => rows.length)).toEqual([6, 5]);
  });

  it.each(EXAMPLES.flatMap(({ filter, rows }) => rows.map((row) => [...row, filter] as const)))(
    'tells the truth about %s: %s',
    (event, outcome, filter) => {
      expect(refusal(filter, anEvent(JSON.parse(event))) ?? 'passes').toBe(outcome);
    },
  );

  it.each(OPERATORS)('says what $name accepts, and its result without the key', ({ name, operand, ofAbsent }) => {
    const [, given, , absent] = new RegExp(`^\\| \`${name}\` (.*)$`, 'm').exec(page)?.[1]?.split(/ ?\| ?/) ?? [];
    const takes = {
      none: 'none',
      number: '`value`',
      boolean: '`value`',
      numbers: '`values`',
      ranges: '`values`',
      strings: '`values`',
    };
    expect(given?.split(':')[0]).toBe(takes[operand]);
    expect(absent).toBe(ofAbsent ? 'passes' : 'does not pass');
  });

  it('names the limits', () => {
    expect(page).toContain(`at most ${MAX_ADVANCED_FILTERS} advanced filters`);
    expect(page).toContain(`at most ${MAX_VALUES} values`);
    expect(page).toContain(`at most ${MAX_STRING_LENGTH} characters`);
  });
});
