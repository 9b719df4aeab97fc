import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFilter } from '../../../../src/services/platform/scim/filter.ts';
import { matches } from '../../../../src/services/platform/scim/match.ts';
import { onBothStores } from '../../../support/jars.ts';
import { person } from '../support.ts';
import { list, USERS, user, withoutRates } from './support.ts';

/** Few letters, so that comparisons match often enough; `É` and `ß` are case-sensitive special cases. */
const part = fc.stringMatching(/^[abAÉß.]{1,3}$/);
const text = fc.oneof(part, fc.constantFrom('a', 'B', 'X-1', '@contoso.example', 'ab@contoso.example'));
const quoted = text.map((value) => JSON.stringify(value));
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');
const attribute = fc.constantFrom(
  'userName',
  'DISPLAYNAME',
  'externalId',
  'id',
  'emails.value',
  'emails',
  'name.givenName',
);

const term = fc.oneof(
  fc.tuple(attribute, operator, quoted).map((words) => words.join(' ')),
  fc.tuple(attribute, fc.constant('pr')).map((words) => words.join(' ')),
  fc
    .tuple(fc.constant('active'), fc.constantFrom('eq', 'ne'), fc.constantFrom('true', 'false'))
    .map((words) => words.join(' ')),
  fc.tuple(operator, quoted).map(([op, value]) => `emails[type eq "home" and value ${op} ${value}]`),
);

const { filter } = fc.letrec<{ filter: string; joined: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    term,
    tie('joined'),
    tie('filter').map((inner) => `not (${inner})`),
  ),
  joined: fc
    .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
    .map(([left, word, right]) => `(${left}) ${word} (${right})`),
}));

onBothStores('data platform: filters of SCIM', (bench) => {
  it('find the same whether the store answers them or the representations are compared', async () => {
    await withoutRates(bench);
    const ask = await person(bench);
    const names = ['a', 'ab', 'b.a', 'ba', 'abab'];
    for (const [n, name] of names.entries())
      await user(ask, name, {
        ...(n > 0 && { displayName: ['x', 'AbÉ', 'aß', 'É', 'b.B'][n] }),
        ...(n % 2 === 0 && { externalId: ['X-1', '', 'x-1', '', 'Ab'][n], name: { givenName: name.toUpperCase() } }),
        active: n !== 3,
        emails: [{ value: `${name}@contoso.example` }, { value: `${name}B@home.example`, type: 'home' }],
      });
    const all = (await list(ask, USERS)).Resources;
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const parsed = parseFilter(asked);
        const expected = all.filter((each: never) => matches(parsed, each)).map(({ id }: { id: string }) => id);
        const { Resources, totalResults } = await list(ask, USERS, { filter: asked, attributes: 'id' });
        expect(Resources.map(({ id }: { id: string }) => id)).toEqual(expected);
        expect(totalResults).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });
});
