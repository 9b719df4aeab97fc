import { beforeEach, expect, it } from 'vitest';
import { type Bench, onAnyStore } from '../../../support/jars.ts';
import { type Ask, person, REAL_TIMES, refusal } from '../support.ts';
import { getCluster, NODE, runningCluster, SPARK } from './support.ts';

/** Rules of the published reference, one row per externally visible sentence: the action and the expected result. */

export interface World {
  readonly bench: Bench;
  readonly ask: Ask;
  /** Calls a cluster operation. */
  post(verb: string, body: object): Promise<ReturnType<typeof refusal>>;
  state(id: string): Promise<string>;
  advance(time: string): Promise<unknown>;
}

export type Fact = readonly [sentence: string, look: (world: World) => Promise<unknown>, seen: unknown];

export const OK = { status: 200, code: undefined, message: undefined };
export const refused = (code: string, message: unknown = expect.any(String)) => ({ status: 400, code, message });
export const invalid = (message: string) => refused('INVALID_PARAMETER_VALUE', expect.stringContaining(message));
export const malformed = (field: string) =>
  refused('MALFORMED_REQUEST', expect.stringMatching(`^Could not parse request object: .*'${field}`));

export const spec = { spark_version: SPARK, node_type_id: NODE, num_workers: 1 };

export const terminated = async ({ bench, ask, post }: World, more: object = {}): Promise<string> => {
  const cluster_id = await runningCluster(bench, ask, more);
  await post('delete', { cluster_id });
  await bench.jar.clock.advance('1m');
  return cluster_id;
};

export const keys = async (look: Promise<object>, ...names: string[]): Promise<unknown> => {
  const found = await look;
  return Object.fromEntries(names.map((name) => [name, Reflect.get(found, name)]));
};

/** One test per row. `prepare` creates what all of them need. */
export const checkFacts = (title: string, facts: readonly Fact[], prepare?: (ask: Ask) => Promise<void>): void =>
  onAnyStore(
    title,
    (bench) => {
      beforeEach(() => bench.jar.reset());

      it.each(facts)('%s', async (_sentence, look, seen) => {
        const ask = await person(bench);
        await prepare?.(ask);
        const world: World = {
          bench,
          ask,
          post: async (verb, body) => refusal(await ask('POST', `/api/2.1/clusters/${verb}`, body)),
          state: async (id) => (await getCluster(ask, id)).state,
          advance: (time) => bench.jar.clock.advance(time),
        };
        expect(await look(world)).toEqual(seen);
      });
    },
    REAL_TIMES,
  );
