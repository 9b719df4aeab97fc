import { expect } from 'vitest';
import { good } from '../support.ts';
import { checkFacts, type Fact, invalid, malformed, spec, terminated, type World } from './facts.ts';
import { createCluster, runningCluster } from './support.ts';

const events = async ({ ask }: World, cluster_id: string, more: object = {}) =>
  good(ask('POST', '/api/2.1/clusters/events', { cluster_id, ...more }));
const typesIn = ({ events: list }: { events: { type: string }[] }): string[] => list.map(({ type }) => type);

/** Five events: CREATING, RUNNING, DRIVER_HEALTHY, PINNED, UNPINNED. */
const eventful = async (world: World): Promise<string> => {
  const cluster_id = await runningCluster(world.bench, world.ask);
  await world.post('pin', { cluster_id });
  await world.advance('1s');
  await world.post('unpin', { cluster_id });
  return cluster_id;
};

const EVENTS: readonly Fact[] = [
  [
    'events are newest first unless said',
    async (world) => typesIn(await events(world, await eventful(world))),
    ['UNPINNED', 'PINNED', 'DRIVER_HEALTHY', 'RUNNING', 'CREATING'],
  ],
  [
    'ASC is oldest first',
    async (world) => typesIn(await events(world, await eventful(world), { order: 'ASC' })).at(-1),
    'UNPINNED',
  ],
  [
    'another order is refused',
    async (world) => world.post('events', { cluster_id: await createCluster(world.ask), order: 'UP' }),
    invalid('order'),
  ],
  [
    'an event has four members',
    async (world) => {
      const id = await createCluster(world.ask);
      return (await events(world, id)).events;
    },
    [
      {
        cluster_id: expect.any(String),
        timestamp: expect.any(Number),
        type: 'CREATING',
        details: { cluster_size: { num_workers: 2 }, user: expect.any(String) },
      },
    ],
  ],
  [
    'types are chosen',
    async (world) => typesIn(await events(world, await eventful(world), { event_types: ['PINNED', 'CREATING'] })),
    ['PINNED', 'CREATING'],
  ],
  [
    'no types are all types',
    async (world) => (await events(world, await eventful(world), { event_types: [] })).total_count,
    5,
  ],
  [
    'types are texts',
    async (world) => world.post('events', { cluster_id: await createCluster(world.ask), event_types: [1] }),
    malformed('event_types'),
  ],
  [
    'the times are inclusive',
    async (world) => {
      const id = await eventful(world);
      const [{ timestamp }] = (await events(world, id)).events;
      return typesIn(await events(world, id, { start_time: timestamp, end_time: timestamp }));
    },
    ['UNPINNED'],
  ],
  [
    'a page size of 0 leaves the size to the server',
    async (world) => (await events(world, await eventful(world), { page_size: 0 })).events.length,
    5,
  ],
  [
    'a page size below the range counts as 0',
    async (world) => (await events(world, await eventful(world), { page_size: -7 })).events.length,
    5,
  ],
  [
    'a page size above the range counts as 500',
    async (world) => (await events(world, await eventful(world), { page_size: 501 })).next_page?.page_size,
    undefined,
  ],
  [
    'without a size a page has 50, and leads on by token and by offset',
    async (world) => {
      const cluster_id = await createCluster(world.ask);
      for (let n = 0; n < 26; n++) for (const verb of ['pin', 'unpin']) await world.post(verb, { cluster_id });
      const page = await events(world, cluster_id);
      const byToken = await events(world, cluster_id, { page_token: page.next_page_token });
      const byOffset = await good(world.ask('POST', '/clusters/events', page.next_page));
      return [page.events.length, page.total_count, typesIn(byToken), typesIn(byOffset)];
    },
    [50, 53, ['UNPINNED', 'PINNED', 'CREATING'].slice(0, 3), ['UNPINNED', 'PINNED', 'CREATING']],
  ],
  [
    'a token leads back to the previous page',
    async (world) => {
      const id = await eventful(world);
      const first = await events(world, id, { page_size: 2 });
      const second = await events(world, id, { page_size: 2, page_token: first.next_page_token });
      const third = await events(world, id, { page_size: 2, page_token: second.next_page_token });
      const back = await events(world, id, { page_size: 2, page_token: third.prev_page_token });
      const start = await events(world, id, { page_size: 2, page_token: back.prev_page_token });
      return [
        typesIn(third),
        third.next_page_token,
        typesIn(back),
        typesIn(start),
        start.prev_page_token,
        first.prev_page_token,
      ];
    },
    [['CREATING'], undefined, ['DRIVER_HEALTHY', 'RUNNING'], ['UNPINNED', 'PINNED'], undefined, undefined],
  ],
  [
    'an offset needs an end if the newest come first',
    async (world) => world.post('events', { cluster_id: await createCluster(world.ask), offset: 1 }),
    invalid('end_time'),
  ],
  [
    'an offset skips the first events',
    async (world) => typesIn(await events(world, await eventful(world), { order: 'ASC', offset: 3 })),
    ['PINNED', 'UNPINNED'],
  ],
  [
    'a limit above the maximum becomes the maximum',
    async (world) => (await events(world, await eventful(world), { limit: 100_000 })).events.length,
    5,
  ],
  [
    'times outside of the valid range find nothing',
    async (world) => (await events(world, await eventful(world), { start_time: 9_007_199_254_740_991 })).events,
    [],
  ],
  [
    'EDITED has the attributes before and after',
    async (world) => {
      const cluster_id = await terminated(world);
      await world.post('edit', { cluster_id, ...spec, num_workers: 5 });
      return (await events(world, cluster_id)).events[0];
    },
    expect.objectContaining({
      type: 'EDITED',
      details: {
        user: expect.any(String),
        attributes: expect.objectContaining({ num_workers: 5 }),
        previous_attributes: expect.objectContaining({ num_workers: 2 }),
      },
    }),
  ],
  [
    'TERMINATING says why',
    async (world) => (await events(world, await terminated(world))).events[0],
    expect.objectContaining({
      type: 'TERMINATING',
      details: {
        reason: { code: 'USER_REQUEST', type: 'SUCCESS', parameters: expect.anything() },
        user: expect.any(String),
      },
    }),
  ],
];

checkFacts('data platform: facts of the events of clusters', EVENTS);
