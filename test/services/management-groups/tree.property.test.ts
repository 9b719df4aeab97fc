import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { bodyOf, type Entity, entities, group, idOf, TENANT } from './groups.ts';

/** Any sequence of creations, moves and deletions keeps the groups a tree, and the answers match a simple model. */

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const LEVELS = 6;

type Step =
  | { readonly do: 'create'; readonly name: string; readonly parent: string }
  | { readonly do: 'move'; readonly name: string; readonly parent: string }
  | { readonly do: 'delete'; readonly name: string }
  | { readonly do: 'place'; readonly name: string };

const name = fc.constantFrom(...NAMES);
const parent = fc.constantFrom(TENANT, ...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name, parent }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), name, parent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('place' as const), name }) },
);

/** The expected state: each group with its parent, and the group of the subscription. */
class Model {
  readonly parents = new Map<string, string>();
  home = TENANT;

  path(of: string): string[] {
    const above = this.parents.get(of);
    return above === undefined || above === TENANT ? [of] : [...this.path(above), of];
  }

  children(of: string): string[] {
    return [...this.parents].filter(([, above]) => above === of).map(([child]) => child);
  }

  height(of: string): number {
    return 1 + Math.max(0, ...this.children(of).map((child) => this.height(child)));
  }

  descendants(of: string): number {
    const groups = this.children(of);
    return groups.length + groups.reduce((sum, each) => sum + this.descendants(each), 0) + Number(this.home === of);
  }

  /** The expected status of a step; applies it to the model if it succeeds. */
  take(wanted: Step): number {
    const exists = this.parents.has(wanted.name);
    switch (wanted.do) {
      case 'delete':
        return exists ? this.#remove(wanted.name) : 204;
      case 'place':
        if (exists) this.home = wanted.name;
        return exists ? 200 : 404;
      case 'move':
        return exists ? this.#move(wanted.name, wanted.parent) : 404;
      case 'create':
        return exists ? this.#move(wanted.name, wanted.parent) : this.#create(wanted.name, wanted.parent);
    }
  }

  #create(made: string, below: string): number {
    if (below !== TENANT && !this.parents.has(below)) return 404;
    if (below !== TENANT && this.path(below).length >= LEVELS) return 400;
    this.parents.set(made, below);
    return 202;
  }

  #remove(gone: string): number {
    if (this.children(gone).length > 0 || this.home === gone) return 400;
    this.parents.delete(gone);
    return 202;
  }

  #move(moved: string, to: string): number {
    if (to !== TENANT && to !== this.parents.get(moved)) {
      if (!this.parents.has(to)) return 404;
      const above = this.path(to);
      if (above.includes(moved) || above.length + this.height(moved) > LEVELS) return 400;
    }
    this.parents.set(moved, to);
    return 200;
  }
}

async function answerTo(bench: Bench, wanted: Step): Promise<number> {
  const { status } =
    wanted.do === 'create'
      ? await bench.call('PUT', group(wanted.name), { body: bodyOf(wanted.parent) })
      : wanted.do === 'move'
        ? await bench.call('PATCH', group(wanted.name), { body: { parentGroupId: idOf(wanted.parent) } })
        : wanted.do === 'delete'
          ? await bench.call('DELETE', group(wanted.name))
          : await bench.call('PUT', group(wanted.name, `/subscriptions/${SUBSCRIPTION}`));
  if (status === 202) await bench.jar.settled();
  return status;
}

const listed = async (bench: Bench): Promise<Entity[]> => (await entities(bench, '$top=100')).body.value;

function expectTree(found: readonly Entity[], model: Model): void {
  const shown = found.map(({ name: each, properties }) => [
    each,
    properties.parent.id?.split('/').at(-1) ?? null,
    properties.numberOfChildren,
    properties.numberOfChildGroups,
    properties.numberOfDescendants,
    properties.parentNameChain,
  ]);
  const row = (each: string, above: string | null, chain: readonly string[]) => {
    const groups = model.children(each).length;
    return [each, above, groups + Number(model.home === each), groups, model.descendants(each), chain];
  };
  const pathOf = (each: string): string[] => (each === TENANT ? [TENANT] : [TENANT, ...model.path(each)]);
  const expected = [
    row(TENANT, null, []),
    ...[...model.parents].map(([each, above]) => row(each, above, pathOf(above))),
    [SUBSCRIPTION, model.home, 0, 0, 0, pathOf(model.home)],
  ];
  const byName = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
  expect(shown.sort(byName)).toEqual(expected.sort(byName));
}

onAnyStore('the tree of management groups', (bench) => {
  it('is a tree after any sequence of steps, and its counts are right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await bench.jar.reset();
        const model = new Model();
        for (const each of steps) expect([each, await answerTo(bench, each)]).toEqual([each, model.take(each)]);
        expectTree(await listed(bench), model);
      }),
      { numRuns: 20 },
    );
  });
});

onBothStores('management groups that are moved at the same time', (bench) => {
  it('end in no cycle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, parent), { minLength: 4, maxLength: 12 }), async (moves) => {
        await bench.jar.reset();
        for (const each of NAMES) await bench.call('PUT', group(each), { body: {} });
        await bench.jar.settled();
        const move = ([moved, to]: readonly [string, string]) =>
          bench.call('PATCH', group(moved), { body: { parentGroupId: idOf(to) } });
        const statuses = (await Promise.all(moves.map(move))).map(({ status }) => status);
        expect(statuses.every((status) => [200, 400, 409].includes(status))).toBe(true);
        const found = await listed(bench);
        // Groups in a cycle would not be reachable from the root.
        expect(found.map((each) => each.name).sort()).toEqual([TENANT, SUBSCRIPTION, ...NAMES].sort());
        for (const { properties } of found) expect(properties.parentNameChain.length).toBeLessThanOrEqual(LEVELS + 1);
      }),
      { numRuns: 5 },
    );
  });
});
