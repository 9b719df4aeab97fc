import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Config } from '../../../../src/kernel/config/config.ts';
import { findMistake } from '../../../../src/kernel/values/find-mistake.ts';
import { CustomApisSchema } from '../../../../src/services/business/model/custom/schema.ts';
import { modelFor } from '../../../../src/services/business/model/custom.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import { DERIVED_TABLES } from '../../../../src/services/business/model/tables/derived.ts';
import { ALL_TABLES } from '../../../../src/services/business/model/tables/index.ts';

const page = readFileSync('docs/services/business-entities.md', 'utf8');
const v2 = standardModel.api('v2.0')!;

/** Cells of the table row about a set. */
const rowOf = (set: string): readonly string[] =>
  page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, sets]) => sets?.split(', ').includes(`\`${set}\``)) ?? [];

const ACTIONS = new Set(v2.pages.flatMap(({ actions }) => actions));
/** Actions named in a cell. */
const actionsIn = (cell = ''): string[] =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter((name) => ACTIONS.has(name));

it.each(v2.pages.slice(2).map(({ set, verbs, actions }) => ({ set, verbs, actions })))(
  'the page of the entities says what can be done to $set',
  ({ set, verbs, actions }) => {
    const [, , said, acts] = rowOf(set);
    expect(said).toBe(verbs.length === 4 ? '' : verbs.join(' '));
    // For a set without actions the last cell may contain something else.
    expect(actionsIn(acts)).toEqual(actions);
  },
);

it.each(v2.pages.filter(({ actions }) => actions.length > 0).map(({ set, actions }) => ({ set, actions })))(
  'the page of the entities names the actions of $set, and nothing else',
  ({ set, actions }) => {
    expect(rowOf(set)[3]).toBe(actions.map((action) => `\`${action}\``).join(', '));
  },
);

it('the page of the entities lists every table that a custom API can show', () => {
  const [, listed] = page.split('Tables that a custom API can show:');
  const names = [...listed!.split('\n\n')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const kept = ALL_TABLES.map(({ name }) => name).filter((name) => !Object.hasOwn(DERIVED_TABLES, name));
  expect(names.sort()).toEqual(kept.sort());
});

it('the example of a custom API is accepted by a jar', async () => {
  const [, example] = /## Custom APIs[\s\S]*?```json\n([\s\S]*?)```/.exec(page)!;
  const config = JSON.parse(example!) as Config;
  const customApis = config.services.business?.customApis;
  expect(await findMistake(CustomApisSchema, customApis)).toBeUndefined();
  expect(
    modelFor(config)
      .api('contoso/fleet/v1.0')
      ?.pages.map(({ set }) => set),
  ).toEqual(['companies', 'subscriptions', 'vehicles', 'trips', 'drivers']);
});
