import { afterAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { RowId } from '../../../../src/services/platform/limits/declared.ts';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Bench, CallOptions } from '../../../support/jars.ts';
import { QuickClient } from '../../../support/quick-client.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { stopRedisAfterwards, useRedis } from '../../../support/use-redis.ts';
import { MAKERS } from '../row-makers.ts';
import { type Ask, control, good, person, withoutRates } from '../support.ts';

/** Limits of the platform on two nodes: counts by the database that they share, rates by the Redis that they share. */

const SOAK = process.env.CLOUDJAR_SOAK === '1';

/** By workspace, account, parent and person; of the engine and of folders with code of their own. The long suite has all. */
const OF_EACH_SORT: readonly RowId[] = [
  'saved-jobs',
  'running-tasks',
  'secret-scopes',
  'groups',
  'cluster-contexts',
  'warehouses',
  'query-visualizations',
  'ip-access-workspace',
  'user-tokens',
];

const CLIENTS = 64;
const ROOM = 7;

stopRedisAfterwards();

/** Two nodes of one jar. Calls go to them in turn; `of` has each by itself. */
class TwoNodes implements Bench {
  readonly #client = new QuickClient();
  #nodes: readonly TestJar[] = [];
  #turn = 0;

  get jar(): TestJar {
    return this.#nodes[0] as TestJar;
  }

  get isOpen(): boolean {
    return this.#nodes.length > 0;
  }

  async open(databaseUrl: string, redisUrl?: string): Promise<void> {
    const options = { databaseUrl, redisUrl, secretKey: 'B'.repeat(43), clock: 'shifted' } as const;
    this.#nodes = [await startJar(options), await startJar(options)];
  }

  async close(): Promise<void> {
    this.#client.close();
    for (const node of this.#nodes) await node.close();
  }

  call(method: string, path: string, options?: CallOptions) {
    this.#turn++;
    return this.of(this.#turn % 2).call(method, path, options);
  }

  of(index: number): Bench {
    const jar = this.#nodes[index] as TestJar;
    return {
      jar,
      call: async (method, path, { body, token, headers = {} } = {}) =>
        this.#client.ask(
          jar.url + path,
          {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            body: body === undefined ? null : JSON.stringify(body),
          },
          jar.ca,
        ),
    };
  }

  /** Changes limits, and waits until both nodes know it. */
  async limit(change: {
    readonly name: string;
    readonly limit?: number;
    readonly size?: number;
    readonly refillPerSecond?: number;
  }) {
    await good(control(this.of(0), 'PATCH', 'limits', change));
    const { name, ...numbers } = change;
    for (const index of [0, 1])
      await eventually(async () => {
        const { value } = await good(control(this.of(index), 'GET', `limits?name=${name}`));
        expect(value[0].inForce).toMatchObject(numbers);
      });
  }

  /** A jar as new on both nodes, without rates. */
  async renew(): Promise<void> {
    await this.jar.reset();
    await withoutRates(this.of(0));
    for (const index of [0, 1])
      await eventually(async () => {
        const { value } = await good(control(this.of(index), 'GET', 'limits?name=platform.rate.*&use=0&$top=1000'));
        expect(value.filter((each: { inForce: { mode: string } }) => each.inForce.mode !== 'unlimited')).toEqual([]);
      });
  }
}

describe('counts of 64 clients at once on two nodes', () => {
  const nodes = new TwoNodes();
  let ask: Ask;

  beforeEach(async (context: TestContext) => {
    if (!nodes.isOpen) await nodes.open(await usePostgresDatabase(context, 'counts'));
    await nodes.renew();
    ask = await person(nodes);
    await good(ask('GET', '/preview/sql/query_snippets'));
  });
  afterAll(() => nodes.close());

  const makers = (Object.entries(MAKERS) as [RowId, NonNullable<(typeof MAKERS)[RowId]>][]).filter(
    ([id]) => SOAK || OF_EACH_SORT.includes(id),
  );

  const used = async (id: RowId, scope: readonly string[]): Promise<number> => {
    const { value } = await good(control(nodes.of(0), 'GET', `limits?name=platform.${id}&use=1000`));
    const found = value[0].use.find((each: { scope: object }) => Object.values(each.scope).join() === scope.join());
    return found?.used ?? 0;
  };

  it.each(makers)('%s: as many are made as there is room for', async (id, maker) => {
    const { scope, make } = await maker(ask, nodes);
    const before = await used(id, scope);
    await nodes.limit({ name: `platform.${id}`, limit: before + ROOM });
    // A busy database refuses what waits too long for the others: it is asked again.
    const patiently = async (number: number) => {
      for (;;) {
        const reply = await make(number);
        if (reply.status !== 503) return reply;
      }
    };
    const replies = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => patiently(number)));
    const made = replies.filter(({ status }) => status < 300);
    expect(made, replies.find(({ status }) => status >= 300)?.text).toHaveLength(ROOM);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await used(id, scope)).toBe(before + ROOM);
  });
});

describe('rates of 64 clients at once on two nodes', () => {
  const nodes = new TwoNodes();
  let ask: Ask;
  const NAME = 'platform.rate.jobs-run-now';

  beforeEach(async (context: TestContext) => {
    const { url } = await useRedis(context);
    if (!nodes.isOpen) await nodes.open(await usePostgresDatabase(context, 'rates'), url);
    await nodes.jar.reset();
    ask = await person(nodes);
  });
  afterAll(() => nodes.close());

  const runNow = (through = ask) => through('POST', '/api/2.2/jobs/run-now', { job_id: 1 });
  const admitted = async (call: () => ReturnType<Ask>): Promise<number> => {
    const replies = await Promise.all(Array.from({ length: CLIENTS }, call));
    return replies.filter(({ status }) => status !== 429).length;
  };

  it('as many pass as the bucket has room for, whichever node is asked', async () => {
    await nodes.limit({ name: NAME, size: 20, refillPerSecond: 0 });
    expect(await admitted(runNow)).toBe(20);
    const [shown] = (await good(ask('GET', '/platform/limits?resource=Jobs&page_size=100'))).limits.filter(
      ({ name }: { name: string }) => name === NAME,
    );
    expect(shown.use).toMatchObject([{ used: 20, remaining: 0 }]);
  });

  it('a call of two scopes that one of them refuses takes of neither', async () => {
    await nodes.limit({ name: 'platform.rate.workspace-export', size: 60, refillPerSecond: 0 });
    await nodes.limit({ name: 'platform.rate.workspace-export-account', size: 50, refillPerSecond: 0 });
    expect(await admitted(() => ask('GET', '/workspace/export?path=/nothing'))).toBe(50);
    await nodes.limit({ name: 'platform.rate.workspace-export-account', size: 1000, refillPerSecond: 0 });
    expect(await admitted(() => ask('GET', '/workspace/export?path=/nothing'))).toBe(10);
  });

  it('while Redis does not answer each node counts for itself, and afterwards they count together again', async (context) => {
    const redis = await useRedis(context);
    await nodes.limit({ name: NAME, size: 20, refillPerSecond: 0 });
    const asks = [await person(nodes.of(0)), await person(nodes.of(1))];
    const isUp = async (index: number): Promise<boolean> => {
      const { text } = await control(nodes.of(index), 'GET', 'metrics');
      return text.includes('cloudjar_limit_redis_up 1');
    };
    redis.freeze();
    try {
      for (const [index, through] of asks.entries()) {
        await good(through('GET', '/api/2.2/jobs/list'));
        await eventually(async () => expect(await isUp(index)).toBe(false));
        expect(await admitted(() => runNow(through))).toBe(20);
      }
    } finally {
      redis.thaw();
    }
    for (const index of [0, 1]) await eventually(async () => expect(await isUp(index)).toBe(true));
    expect(await admitted(runNow)).toBe(20);
  });
});
