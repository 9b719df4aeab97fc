import { expect } from 'vitest';
import { good, person } from '../support.ts';
import { checkFacts, type Fact, type World } from './facts.ts';
import { createCluster, runningCluster } from './support.ts';

const OLD = '/api/1.2';

interface Session {
  readonly clusterId: string;
  readonly contextId: string;
}

/** Status and body: the errors of this version have a different format. */
const post = async ({ ask }: Pick<World, 'ask'>, path: string, body: object) => {
  const reply = await ask('POST', `${OLD}/${path}`, body);
  return { status: reply.status, body: reply.body };
};
const read = async ({ ask }: Pick<World, 'ask'>, path: string, parts: object) => {
  const reply = await ask('GET', `${OLD}/${path}?${new URLSearchParams({ ...parts })}`);
  return { status: reply.status, body: reply.body };
};
const failed = (status: number, error: string) => ({ status, body: { error: expect.stringMatching(`^${error}: `) } });
const missing = (part: string) => ({
  status: 400,
  body: { error: expect.stringMatching(`^IllegalArgumentException: .*${part}`) },
});
const answered = (body: unknown) => ({ status: 200, body });

const session = async (world: World): Promise<Session> => {
  const clusterId = await runningCluster(world.bench, world.ask);
  const { id } = await good(world.ask('POST', `${OLD}/contexts/create`, { clusterId, language: 'python' }));
  return { clusterId, contextId: id };
};
const execute = async (world: World, where: Session, command: string, language = 'python'): Promise<string> =>
  (await post(world, 'commands/execute', { ...where, language, command })).body.id;
const statusOf = async (world: World, where: Session, commandId: string) =>
  (await read(world, 'commands/status', { ...where, commandId })).body;

const CONTEXTS: readonly Fact[] = [
  ...['python', 'scala', 'sql', 'r'].map(
    (language): Fact => [
      `a context of ${language} has an id`,
      async (world) =>
        post(world, 'contexts/create', { clusterId: await runningCluster(world.bench, world.ask), language }),
      answered({ id: expect.any(String) }),
    ],
  ),
  [
    'other languages are refused',
    async (world) =>
      post(world, 'contexts/create', { clusterId: await runningCluster(world.bench, world.ask), language: 'cobol' }),
    failed(400, 'IllegalArgumentException'),
  ],
  [
    'a context is Running',
    async (world) => {
      const where = await session(world);
      return read(world, 'contexts/status', where);
    },
    answered({ id: expect.any(String), status: 'Running' }),
  ],
  [
    'destroy answers the id',
    async (world) => {
      const where = await session(world);
      const { body } = await post(world, 'contexts/destroy', where);
      return body.id === where.contextId;
    },
    true,
  ],
  [
    'a destroyed context is not found',
    async (world) => {
      const where = await session(world);
      await post(world, 'contexts/destroy', where);
      return [
        await read(world, 'contexts/status', where),
        await post(world, 'contexts/destroy', where),
        await post(world, 'commands/execute', { ...where, language: 'python', command: '1' }),
      ];
    },
    [failed(404, 'ContextNotFound'), failed(404, 'ContextNotFound'), failed(404, 'ContextNotFound')],
  ],
  [
    'a cluster that does not run takes no context',
    async (world) => post(world, 'contexts/create', { clusterId: await createCluster(world.ask), language: 'python' }),
    { status: 500, body: { error: 'ClusterNotReadyException: Cluster not in running state' } },
  ],
  [
    'a cluster that does not exist is an error of this version',
    (world) => post(world, 'contexts/create', { clusterId: 'none', language: 'python' }),
    { status: 400, body: { error: expect.stringContaining('Cluster none does not exist') } },
  ],
  [
    'a user without permission gets an error of this version',
    async (world) =>
      post({ ask: await person(world.bench, 'licensed') }, 'contexts/create', {
        clusterId: await runningCluster(world.bench, world.ask),
        language: 'python',
      }),
    { status: 403, body: { error: expect.any(String) } },
  ],
  ...['clusterId', 'language'].map(
    (part): Fact => [
      `create needs ${part}`,
      (world) => post(world, 'contexts/create', { clusterId: 'x', language: 'python', [part]: undefined }),
      missing(part),
    ],
  ),
  ...['clusterId', 'contextId', 'language', 'command'].map(
    (part): Fact => [
      `execute needs ${part}`,
      (world) =>
        post(world, 'commands/execute', {
          clusterId: 'x',
          contextId: 'x',
          language: 'python',
          command: 'x',
          [part]: undefined,
        }),
      missing(part),
    ],
  ),
  ...['clusterId', 'contextId', 'commandId'].map(
    (part): Fact => [
      `status needs ${part}`,
      (world) => read(world, 'commands/status', { clusterId: 'x', contextId: 'x', commandId: 'x', [part]: '' }),
      missing(part),
    ],
  ),
  [
    'an unknown command is not found',
    async (world) => read(world, 'commands/status', { ...(await session(world)), commandId: 'none' }),
    failed(404, 'CommandNotFoundException'),
  ],
  [
    'a command that waits is Queued and has no results',
    async (world) => {
      const where = await session(world);
      await execute(world, where, '%sh sleep 60');
      const id = await execute(world, where, 'print(1)');
      return statusOf(world, where, id);
    },
    { id: expect.any(String), status: 'Queued', results: null },
  ],
  [
    'a command that runs is Running',
    async (world) => {
      const where = await session(world);
      const id = await execute(world, where, '%sh sleep 60');
      await world.advance('1s');
      return (await statusOf(world, where, id)).status;
    },
    'Running',
  ],
  [
    'a command that fails is Finished with an error',
    async (world) => {
      const where = await session(world);
      const id = await execute(world, where, 'raise ValueError("wrong")');
      await world.advance('1s');
      return statusOf(world, where, id);
    },
    {
      id: expect.any(String),
      status: 'Finished',
      results: expect.objectContaining({
        resultType: 'error',
        summary: expect.any(String),
        cause: 'ValueError: wrong',
      }),
    },
  ],
  [
    'a table has rows and a schema',
    async (world) => {
      const where = await session(world);
      const id = await execute(world, where, 'SELECT 1 AS one', 'sql');
      await world.advance('1s');
      return (await statusOf(world, where, id)).results;
    },
    expect.objectContaining({
      resultType: 'table',
      data: [[1]],
      schema: [expect.objectContaining({ name: 'one' })],
      truncated: false,
      isJsonSchema: true,
    }),
  ],
  [
    'cancel answers the id, and the command is Cancelled',
    async (world) => {
      const where = await session(world);
      const commandId = await execute(world, where, '%sh sleep 60');
      await world.advance('1s');
      const { body } = await post(world, 'commands/cancel', { ...where, commandId });
      return [body.id === commandId, (await statusOf(world, where, commandId)).status];
    },
    [true, 'Cancelled'],
  ],
  [
    'contexts die with a restart',
    async (world) => {
      const where = await session(world);
      await world.post('restart', { cluster_id: where.clusterId });
      await world.advance('2m');
      return read(world, 'contexts/status', where);
    },
    failed(404, 'ContextNotFound'),
  ],
  [
    'contexts die with a termination',
    async (world) => {
      const where = await session(world);
      await world.post('delete', { cluster_id: where.clusterId });
      return read(world, 'contexts/status', where);
    },
    failed(404, 'ContextNotFound'),
  ],
  [
    'a context of another cluster is not found',
    async (world) => {
      const where = await session(world);
      const clusterId = await runningCluster(world.bench, world.ask);
      return read(world, 'contexts/status', { ...where, clusterId });
    },
    failed(404, 'ContextNotFound'),
  ],
  [
    'a body that is not JSON is an error of this version',
    async ({ ask }) => {
      const reply = await ask('POST', `${OLD}/commands/execute`, '{', { 'content-type': 'application/json' });
      return { status: reply.status, body: reply.body };
    },
    { status: 400, body: { error: expect.any(String) } },
  ],
];

checkFacts('data platform: facts of execution contexts', CONTEXTS);
