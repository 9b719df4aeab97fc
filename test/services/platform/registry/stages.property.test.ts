import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { STAGES, type Stage } from '../../../../src/services/platform/registry/stages.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';
import { createModel, createVersion, ML, transition } from './support.ts';

type Step =
  | { readonly do: 'create' }
  | { readonly do: 'move'; readonly version: number; readonly to: Stage; readonly archive: boolean }
  | { readonly do: 'delete'; readonly version: number };

const version = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'create' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      version,
      to: fc.constantFrom(...STAGES),
      archive: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), version }) },
);

/** A reference model in memory: a registry of one model. */
class Imagined {
  last = 0;
  readonly stages = new Map<number, Stage>();

  /** Returns the expected status. */
  apply(one: Step): number {
    if (one.do === 'create') {
      this.stages.set(++this.last, 'None');
      return 200;
    }
    const stage = this.stages.get(one.version);
    const isActive = (each: Stage) => each === 'Staging' || each === 'Production';
    if (one.do === 'move' && one.archive && !isActive(one.to)) return 400;
    if (stage === undefined) return 404;
    if (one.do === 'delete') {
      if (isActive(stage)) return 400;
      this.stages.delete(one.version);
      return 200;
    }
    if (one.archive)
      for (const [number, each] of this.stages)
        if (each === one.to && number !== one.version) this.stages.set(number, 'Archived');
    this.stages.set(one.version, one.to);
    return 200;
  }

  /** The newest version of each stage. */
  latest(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [number, stage] of [...this.stages].sort(([a], [b]) => a - b)) found[stage] = String(number);
    return found;
  }
}

onAnyStore('data platform: stages of versions, whatever is done in whichever order', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const act = async (name: string, one: Step): Promise<number> => {
    if (one.do === 'create') return createVersion(ask, name).then(() => 200);
    if (one.do === 'move') return (await transition(ask, name, one.version, one.to, one.archive)).status;
    return (await ask('DELETE', `${ML}/model-versions/delete?name=${name}&version=${one.version}`)).status;
  };

  it('every version is in its stage, latest_versions has the newest of each, and a search finds exactly those that are there', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
        const name = `m${++count}`;
        await createModel(ask, name);
        const imagined = new Imagined();
        for (const one of steps) expect(await act(name, one), JSON.stringify(one)).toBe(imagined.apply(one));
        const { registered_model: model } = await good(ask('GET', `${ML}/registered-models/get?name=${name}`));
        const shown = (model.latest_versions ?? []).map((each: { current_stage: string; version: string }) => [
          each.current_stage,
          each.version,
        ]);
        expect(Object.fromEntries(shown)).toEqual(imagined.latest());
        const filter = encodeURIComponent(`name = '${name}'`);
        const { model_versions: found = [] } = await good(
          ask('GET', `${ML}/model-versions/search?filter=${filter}&order_by=version_number`),
        );
        expect(
          found.map((each: { version: string; current_stage: string }) => [Number(each.version), each.current_stage]),
        ).toEqual([...imagined.stages].sort(([a], [b]) => a - b));
      }),
      { numRuns: 25 },
    );
  });
});
