import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { QueryError } from '../../../../src/services/datasets/language/index.ts';
import type { Case, ErrorCase } from './cases/case.ts';
import { CASES } from './cases/index.ts';
import { linesOf } from './compare.ts';
import { ENGINES, QueryStore } from './query-store.ts';
import { SAMPLES } from './sample.ts';

for (const engine of ENGINES) {
  describe(`${engine}: hand-computed answers`, () => {
    let store: QueryStore | undefined;
    // Opened with the first test instead of in beforeAll, because only a test can be skipped if no server is available.
    beforeEach(async (context) => {
      if (store) return;
      store = await QueryStore.open(engine, context);
      for (const { model, rows } of Object.values(SAMPLES)) await store.lay(model, rows);
    });
    afterAll(() => store?.close());

    for (const [part, cases] of Object.entries(CASES))
      describe(part, () => {
        for (const each of cases)
          it(each.name, async () => {
            const { model } = SAMPLES[each.model ?? 'sample'];
            if ('error' in each) return expectError(store!, each);
            const rows = await store!.ask(model, each.query);
            const ordered = each.ordered ?? false;
            expect(linesOf(rows, ordered)).toEqual(linesOf(each.rows, ordered));
          });
      });
  });
}

async function expectError(store: QueryStore, each: ErrorCase): Promise<void> {
  const error = await failure(store, each);
  expect(error.message).toMatch(each.error);
  if (each.at && error instanceof QueryError) expect(error.position).toEqual({ line: each.at[0], column: each.at[1] });
}

async function failure(store: QueryStore, each: Case): Promise<Error> {
  try {
    const rows = await store.ask(SAMPLES[each.model ?? 'sample'].model, each.query);
    return expect.fail(`no error, but the rows ${linesOf(rows, false).join(' ')}`);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
