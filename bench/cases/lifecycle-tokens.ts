import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/kernel/store/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { ApiTokens } from '../../src/services/lifecycle/access/api-tokens.ts';
import { findUser } from '../../src/services/lifecycle/access/find.ts';
import { newSecret, secretHashOf } from '../../src/services/lifecycle/access/secrets.ts';
import { tokens, type User, users } from '../../src/services/lifecycle/collections.ts';
import type { Case, CaseContext } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const ACCOUNTS = 200;
const TOKENS_EACH = 5000;
const CHECKS = 50_000;

/** A prime that divides no number of tokens: every token is used, and none soon after its neighbour. */
const STRIDE = 611_953;

export const lifecycleTokens: Case = {
  name: 'lifecycle-tokens',
  summary: `Checks of API tokens (hash, look-up, comparison, account), one after another on SQLite in a file: of one token in one account, and of any of ${TOKENS_EACH} in each of ${ACCOUNTS} accounts; and beside them the processor time of GET /v0.1/user.`,
  async run(context) {
    const { quick, folder, say } = context;
    say('one token');
    const one = await fill(join(folder, 'one.db'), 1, 1);
    say('all tokens');
    const all = await fill(join(folder, 'all.db'), ACCOUNTS, quick ? TOKENS_EACH / 50 : TOKENS_EACH);
    const { jar, load } = await startUser(context);
    const figures = await takeTurns(
      quick ? 3 : 11,
      {
        one: () => check(one),
        all: () => check(all),
        async request() {
          const { serverBusy, perSecond } = await putLoadOn(jar, load);
          return (serverBusy / perSecond) * 1e6;
        },
      },
      { warmUps: 2 },
    );
    await jar.stop();
    await one.store.close();
    await all.store.close();
    return [
      {
        title: `a check among ${all.secrets.length.toLocaleString('en')} tokens of ${ACCOUNTS} accounts`,
        unit: 'µs',
        baseline: { name: 'a check where there is one token', values: figures.one },
        subject: { name: 'a check of any of them', values: figures.all },
        target: { atMost: 1.5 },
      },
      {
        title: 'a check among all of them, in a GET of the user',
        unit: 'µs',
        baseline: { name: 'processor time of the request', values: figures.request },
        subject: { name: 'the check alone', values: figures.all },
        target: { atMost: 0.05 },
      },
    ];
  },
};

interface Filled {
  readonly store: Store;
  readonly known: ApiTokens;
  readonly secrets: readonly string[];
}

async function fill(file: string, accounts: number, tokensEach: number): Promise<Filled> {
  const store = await openSqlite({ file, collections: [users, tokens], report: () => {} });
  const secrets: string[] = [];
  for (let account = 0; account < accounts; account++) {
    const user = userOf(account);
    const own = Array.from({ length: tokensEach }, newSecret);
    secrets.push(...own);
    await store.transact(async (tx) => {
      await tx.put(users, user.id, user);
      for (const secret of own) {
        const { id, proof } = secretHashOf(secret);
        await tx.put(tokens, id, { id, userId: user.id, scope: 'all', createdAt: user.createdAt, proof });
      }
    });
  }
  const known = new ApiTokens(store);
  await known.complete();
  return { store, known, secrets };
}

const userOf = (account: number): User => ({
  id: `10000000-0000-4000-8000-${String(account).padStart(12, '0')}`,
  name: `user-${account}`,
  displayName: `User ${account}`,
  email: `user-${account}@vendor.example`,
  avatarUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** Microseconds per check. */
async function check({ store, known, secrets }: Filled): Promise<number> {
  const took = await timed(async () => {
    for (let n = 0; n < CHECKS; n++) {
      const token = await known.find(secrets[(n * STRIDE) % secrets.length] as string);
      const user = token && (await findUser(store, token.userId));
      if (!user) throw new Error('a token that was made is not found');
    }
  });
  return (took / CHECKS) * 1000;
}

async function startUser({ quick, folder }: CaseContext) {
  const jar: JarProcess = await startJarProcess(folder, ['--clock', 'virtual']);
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim();
  const keys = await fetch(`${jar.url}/_jar/keys`, { headers: { authorization: `Bearer ${adminKey}` } });
  const { lifecycle } = (await keys.json()) as { lifecycle: string };
  const headers = { 'x-api-token': lifecycle };
  const url = `${jar.url}/v0.1/user`;
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`the user is not shown: ${answer.status}`);
  const load = { url, method: 'GET', headers, connections: 32, seconds: quick ? 1 : 3 } as const;
  return { jar, load };
}
