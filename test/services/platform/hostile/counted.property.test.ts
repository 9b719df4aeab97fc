import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores, type Reply } from '../../../support/jars.ts';
import { type Ask, control, good, person, withoutRates } from '../support.ts';
import { deciding, stored } from './counted.ts';
import { FIRST_WORKSPACE, KINDS, type Kind, type Made, wayOf } from './things.ts';

/** The count that decides whether something more may be made is the number of things that there are, after whatever happened. */

const SOAK = process.env.CLOUDJAR_SOAK === '1';

type Step =
  | { readonly do: 'make'; readonly kind: Kind; readonly at: number }
  | { readonly do: 'remove'; readonly at: number }
  | { readonly do: 'advance'; readonly by: string };

const at = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('make' as const), kind: fc.constantFrom(...KINDS), at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom('1m', '3h', '31d') }) },
);

/** Low ones, so that histories meet them. */
const LIMITS = { 'secret-scopes': 3, 'saved-jobs': 3, 'query-visualizations': 2, 'user-tokens': 3, serverless: 30 };

const probe = new JarProbe();

/** Version 1.2 refuses with 500, too, and has no codes. */
const expectNoMistake = ({ status, body, text }: Reply, kind: Kind): void =>
  expect(status < 500 || /NotReady/.test(body.error), `${kind}: ${text}`).toBe(true);

onBothStores(
  'data platform: what limits count',
  (bench) => {
    /** Things by the order in which they were made; a call of a workspace names it. */
    class History {
      readonly #ask: Ask;
      readonly #made: Made[] = [];
      #names = 0;

      constructor(ask: Ask) {
        this.#ask = ask;
      }

      async perform(taken: Step): Promise<void> {
        if (taken.do === 'advance') await bench.jar.clock.advance(taken.by);
        else if (taken.do === 'make') await this.#make(taken.kind, taken.at);
        else await this.#remove(this.#made[taken.at % Math.max(1, this.#made.length)]);
      }

      /** Whatever is in it goes with it. */
      async removeAll(): Promise<void> {
        for (const each of this.#made.filter(({ above }) => !above)) await this.#remove(each);
      }

      async #make(kind: Kind, at: number): Promise<Made | undefined> {
        const { above: aboveKind, make, idOf } = wayOf(kind);
        const above = aboveKind ? (this.#some(aboveKind, at) ?? (await this.#make(aboveKind, at))) : undefined;
        if (aboveKind && !above) return undefined;
        const workspace = above?.workspace ?? this.#some('workspace', at)?.id ?? FIRST_WORKSPACE;
        const name = `n${this.#names++}`;
        const reply = await make(this.#in(workspace), name, above as Made);
        expectNoMistake(reply, kind);
        if (reply.status >= 300) return undefined;
        const made = { kind, id: idOf(reply.body, name, above as Made), workspace, ...(above && { above }) };
        this.#made.push(made);
        // Clusters and workspaces are of use when they are up.
        if (kind === 'cluster' || kind === 'workspace') await bench.jar.clock.advance('10m');
        return made;
      }

      async #remove(made: Made | undefined): Promise<void> {
        if (!made) return;
        const reply = await wayOf(made.kind).remove(this.#in(made.workspace), made);
        expectNoMistake(reply, made.kind);
      }

      #some(kind: Kind, at: number): Made | undefined {
        const all = this.#made.filter((each) => each.kind === kind);
        // Now and then none, so that things are in more than one.
        return all[at % (all.length + 1)];
      }

      #in(workspace: string): Ask {
        return (method, path, body, headers) =>
          this.#ask(method, path, body, { ...headers, 'X-Databricks-Org-Id': workspace });
      }
    }

    async function compare(why: string): Promise<void> {
      await bench.jar.settled();
      expect(await deciding(probe.jar.store), why).toEqual(await stored(probe.jar.store));
    }

    it('is what there is, after each of whatever happened', { timeout: SOAK ? 3_600_000 : 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: SOAK ? 60 : 40, size: 'max' }), async (steps) => {
          await bench.jar.reset();
          await withoutRates(bench);
          const ask = await person(bench);
          await good(ask('GET', '/preview/sql/query_snippets'));
          const lower = Object.entries(LIMITS).map(([id, limit]) => ({ name: `platform.${id}`, limit }));
          await good(control(bench, 'PATCH', 'limits', lower));
          const history = new History(ask);
          for (const taken of steps) {
            await history.perform(taken);
            if (taken.do !== 'make') await compare(JSON.stringify(taken));
          }
          await history.removeAll();
          await compare('all were removed');
          await bench.jar.clock.advance('40d');
          await compare('and purged');
        }),
        { numRuns: SOAK ? 200 : 4 },
      );
    });
  },
  { services: [...SERVICES, probe.service] },
);
