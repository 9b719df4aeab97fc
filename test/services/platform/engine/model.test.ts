import fc from 'fast-check';
import { expect, it } from 'vitest';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person } from '../support.ts';

const QUERIES = '/sql/queries';
const CHARTS = '/sql/visualizations';
const MOST_CHARTS = 3;
const TRASH_DAYS = 30;

const index = fc.nat(5);
const name = fc.constantFrom('a', 'B', 'b', 'c');
const command = fc.oneof(
  fc.record({ do: fc.constant('create' as const), name }),
  fc.record({ do: fc.constant('rename' as const), index, name }),
  fc.record({ do: fc.constant('trash' as const), index }),
  fc.record({ do: fc.constant('restore' as const), index }),
  fc.record({ do: fc.constant('draw' as const), index, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('erase' as const), index, chart: index }),
  fc.record({ do: fc.constant('advance' as const), days: fc.constantFrom(1, 15, 30) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Query {
  readonly id: string;
  name: string;
  trashedDay: number | undefined;
  charts: string[];
}

/** A reference model of the stored state. */
class Model {
  day = 0;
  queries: Query[] = [];
  gone: string[] = [];

  at(position: number): Query | undefined {
    return this.queries[position];
  }

  isFree(wanted: string, but?: Query): boolean {
    const isSame = (each: Query): boolean => each.name.toLowerCase() === wanted.toLowerCase();
    return !this.queries.some((each) => each !== but && each.trashedDay === undefined && isSame(each));
  }

  advance(days: number): void {
    this.day += days;
    const isOver = ({ trashedDay }: Query): boolean => trashedDay !== undefined && trashedDay + TRASH_DAYS <= this.day;
    this.gone.push(...this.queries.filter(isOver).map(({ id }) => id));
    this.queries = this.queries.filter((each) => !isOver(each));
  }
}

const probe = new JarProbe();

onBothStores(
  'data platform: the engine of kinds',
  (bench) => {
    async function run(model: Model, ask: Ask, each: Command): Promise<void> {
      if (each.do === 'advance') {
        model.advance(each.days);
        await bench.jar.clock.advance(`${each.days}d`);
        return;
      }
      if (each.do === 'create') {
        const reply = await ask('POST', QUERIES, { query: { display_name: each.name } });
        expect(reply.status).toBe(model.isFree(each.name) ? 200 : 400);
        if (reply.status === 200)
          model.queries.push({ id: reply.body.id, name: each.name, trashedDay: undefined, charts: [] });
        return;
      }
      const query = model.at(each.index);
      const id = query?.id ?? model.gone[0] ?? 'nothing';
      const isActive = query !== undefined && query.trashedDay === undefined;
      if (each.do === 'rename') {
        const body = { update_mask: 'display_name', query: { display_name: each.name } };
        const { status } = await ask('PATCH', `${QUERIES}/${id}`, body);
        expect(status).toBe(!isActive ? 404 : model.isFree(each.name, query) ? 200 : 400);
        if (query && status === 200) query.name = each.name;
      } else if (each.do === 'trash') {
        const { status } = await ask('DELETE', `${QUERIES}/${id}`);
        expect(status).toBe(isActive ? 200 : 404);
        if (query && isActive) query.trashedDay = model.day;
      } else if (each.do === 'restore') {
        const { status } = await ask('POST', `/preview/sql/queries/trash/${id}`);
        expect(status).toBe(!query ? 404 : isActive || model.isFree(query.name) ? 200 : 400);
        if (query && status === 200) query.trashedDay = undefined;
      } else if (each.do === 'draw') {
        const visualization = { query_id: id, type: 'CHART' };
        // Concurrent creations never exceed the limit, in any order.
        const replies = await Promise.all(
          Array.from({ length: each.count }, () => ask('POST', CHARTS, { visualization })),
        );
        const made = replies.filter(({ status }) => status === 200).map(({ body }) => body.id);
        expect(made).toHaveLength(query && isActive ? Math.min(each.count, MOST_CHARTS - query.charts.length) : 0);
        query?.charts.push(...made);
      } else {
        const chart = query?.charts[each.chart];
        const { status } = await ask('DELETE', `${CHARTS}/${chart ?? 'nothing'}`);
        expect(status).toBe(chart !== undefined && isActive ? 200 : 404);
        if (query && status === 200) query.charts = query.charts.filter((other) => other !== chart);
      }
    }

    async function compare(model: Model, ask: Ask): Promise<void> {
      const active = model.queries.filter(({ trashedDay }) => trashedDay === undefined);
      const listed: { id: string; display_name: string }[] = [];
      let token = '';
      do {
        const page = await good(ask('GET', `${QUERIES}?page_size=2${token && `&page_token=${token}`}`));
        listed.push(...page.results);
        token = page.next_page_token ?? '';
      } while (token !== '');
      expect(listed.map(({ id, display_name }) => `${id} ${display_name}`).sort()).toEqual(
        active.map((each) => `${each.id} ${each.name}`).sort(),
      );
      const charts = model.queries.flatMap((each) => each.charts).length;
      expect(await probe.jar.store.count(objects)).toBe(model.queries.length + charts);
      const { body } = await control(bench, 'GET', 'limits?name=platform.query-visualizations');
      const used = Object.fromEntries(
        body.value[0].use.map((each: { scope: { query: string }; used: number }) => [each.scope.query, each.used]),
      );
      expect(used).toEqual(
        Object.fromEntries(
          model.queries.filter((each) => each.charts.length > 0).map((each) => [each.id, each.charts.length]),
        ),
      );
    }

    it('agrees with a plain model after any sequence of operations, counts included', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
          await bench.jar.reset();
          await control(bench, 'PATCH', 'limits', { name: 'platform.query-visualizations', limit: MOST_CHARTS });
          const ask = await person(bench);
          const model = new Model();
          for (const each of commands) await run(model, ask, each);
          await compare(model, ask);
        }),
        { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 150 : 12 },
      );
    });
  },
  { services: [...SERVICES, probe.service], clock: 'virtual' },
);
