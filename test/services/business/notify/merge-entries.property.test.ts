import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueuedEntry } from '../../../../src/services/business/notify/collections.ts';
import { mergeEntries } from '../../../../src/services/business/notify/merge-entries.ts';

const RESOURCE = '/api/v2.0/companies(c)/customers';
const BEGAN = Date.parse('2026-03-01T10:00:00.000Z');
const KEYS = ['a', 'b', 'c', 'd'];

/** One change per step, sometimes the end of a window with the result of its run. */
const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ is: fc.constant('change' as const), key: fc.constantFrom(...KEYS), ends: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('run' as const), fails: fc.boolean() }) },
);

/** The true records, and a subscriber that knows only what it was sent: it reads what an entry names. */
class Story {
  readonly truth = new Map<string, number>();
  readonly known = new Map<string, number>();
  #time = BEGAN;
  #pending: readonly QueuedEntry[] = [];
  #gathering: QueuedEntry[] = [];
  readonly #most: number;
  readonly #showsLastModified: boolean;

  constructor(most: number, showsLastModified: boolean) {
    this.#most = most;
    this.#showsLastModified = showsLastModified;
  }

  change(key: string, ends: boolean): void {
    this.#time += 1000;
    const isThere = this.truth.has(key);
    const changeType = isThere ? (ends ? 'deleted' : 'updated') : 'created';
    if (changeType === 'deleted') this.truth.delete(key);
    else this.truth.set(key, this.#time);
    const lastModifiedDateTime = new Date(this.#time).toISOString();
    this.#gathering.push({ subscriptionId: 's', resource: `${RESOURCE}(${key})`, changeType, lastModifiedDateTime });
  }

  /** Returns what was sent. */
  run(fails: boolean): readonly QueuedEntry[] {
    const rules = {
      most: this.#most,
      perAddress: false,
      resource: RESOURCE,
      showsLastModified: this.#showsLastModified,
    };
    const { entries } = mergeEntries([...this.#pending, ...this.#gathering], () => rules);
    this.#gathering = [];
    this.#pending = fails ? entries : [];
    if (!fails) for (const entry of entries) this.#learn(entry);
    return entries;
  }

  #learn({ changeType, resource }: QueuedEntry): void {
    if (changeType === 'collection') {
      const from = /gt%20(.+)$/.exec(resource)?.[1];
      if (from === undefined) this.known.clear();
      for (const [key, at] of this.truth) if (from === undefined || at > Date.parse(from)) this.known.set(key, at);
      return;
    }
    const key = resource.slice(RESOURCE.length + 1, -1);
    const at = this.truth.get(key);
    if (changeType === 'deleted' || at === undefined) this.known.delete(key);
    else this.known.set(key, at);
  }
}

describe('whatever changes, and whichever runs fail', () => {
  it('a subscriber eventually knows the true state, and no message has more entries than the limit', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (steps, most, dated) => {
          const story = new Story(most, dated);
          for (const step of steps) {
            if (step.is === 'change') story.change(step.key, step.ends);
            else expect(story.run(step.fails).length).toBeLessThanOrEqual(most);
          }
          expect(story.run(false).length).toBeLessThanOrEqual(most);
          expect([...story.known].sort()).toEqual([...story.truth].sort());
        },
      ),
      { numRuns: 500 },
    );
  });

  it('merging run by run gives the same result as merging at once', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (steps, most) => {
        const [often, once] = [new Story(most, true), new Story(most, true)];
        for (const step of steps) {
          if (step.is === 'run') often.run(true);
          else for (const story of [often, once]) story.change(step.key, step.ends);
        }
        // A collection stays a collection, even if its updates would have been coalesced into one entry.
        const [first, second] = [often.run(false), once.run(false)];
        if (first[0]?.changeType !== 'collection') expect(first).toEqual(second);
        else expect(first).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});
