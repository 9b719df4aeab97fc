import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../src/kernel/store/index.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';
import { ApiTokens } from '../../../../src/services/lifecycle/access/api-tokens.ts';
import { newSecret, secretHashOf } from '../../../../src/services/lifecycle/access/secrets.ts';
import { TokenTable } from '../../../../src/services/lifecycle/access/token-table.ts';
import { type Scope, type Token, tokens } from '../../../../src/services/lifecycle/collections.ts';

const tokenOf = (secret: string, scope: Scope = 'all', appId?: string): Token => ({
  ...secretHashOf(secret),
  userId: `user of ${secret.slice(0, 2)}`,
  ...(appId !== undefined && { appId }),
  scope,
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** A copy with a different last digit. */
const otherDigit = (digits: string): string => `${digits.slice(0, -1)}${digits.endsWith('0') ? '1' : '0'}`;

const held = ({ proof: _, createdAt: __, ...rest }: Token) => rest;

describe('the table of tokens', () => {
  it('knows exactly those that were added and not removed, whatever comes in between', () => {
    const step = fc.record({ number: fc.nat({ max: 60 }), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const table = new TokenTable();
        const model = new Map<string, Token>();
        for (const { number, remove } of steps) {
          const secret = `secret ${number}`;
          const token = tokenOf(secret, number % 2 === 0 ? 'all' : 'viewer', number % 3 === 0 ? 'an app' : undefined);
          if (remove) table.remove(token.id);
          else table.add(token);
          if (remove) model.delete(secret);
          else model.set(secret, token);
        }
        for (let number = 0; number <= 60; number++) {
          const token = model.get(`secret ${number}`);
          expect(table.find(secretHashOf(`secret ${number}`))).toEqual(token && held(token));
        }
      }),
    );
  });

  it('grows, and does not for tokens that came and went', () => {
    const table = new TokenTable();
    const kept = Array.from({ length: 3000 }, (_, n) => `kept ${n}`);
    for (const secret of kept) table.add(tokenOf(secret));
    for (let n = 0; n < 20_000; n++) {
      table.add(tokenOf(`passing ${n}`));
      table.remove(secretHashOf(`passing ${n}`).id);
    }
    for (const secret of kept) expect(table.find(secretHashOf(secret))?.id).toBe(secretHashOf(secret).id);
    expect(table.find(secretHashOf('passing 19999'))).toBeUndefined();
  });

  it('does not take half of a hash for the whole', () => {
    const table = new TokenTable();
    const { id, proof, ...token } = tokenOf('a secret');
    table.add({ ...token, id, proof });
    expect(table.find({ id, proof: otherDigit(proof) })).toBeUndefined();
    expect(table.find({ id: otherDigit(id), proof })).toBeUndefined();
    expect(table.find({ id, proof })).toBeDefined();
  });
});

describe('the index of tokens', () => {
  let store: Store;
  let known: ApiTokens;
  afterEach(() => store.close());

  const open = async (secrets: readonly string[]): Promise<void> => {
    store = await openSqlite({ collections: [tokens] });
    known = new ApiTokens(store);
    await store.transact(async (tx) => {
      for (const secret of secrets) await tx.put(tokens, secretHashOf(secret).id, tokenOf(secret));
    });
  };

  const drop = (secret: string): Promise<void> =>
    store.transact(async (tx) => {
      const { id } = secretHashOf(secret);
      await tx.delete(tokens, id);
      tx.afterCommit(() => known.removed(id));
    });

  it('reads the store until all tokens are loaded, and then only memory', async () => {
    const secrets = Array.from({ length: 1200 }, newSecret);
    await open(secrets);
    const [first = ''] = secrets;
    expect(known.find(first)).toBeInstanceOf(Promise);
    expect(await known.find(first)).toMatchObject({ id: secretHashOf(first).id });
    await known.complete();
    for (const secret of secrets) expect(known.find(secret)).toMatchObject({ id: secretHashOf(secret).id });
    expect(known.find(newSecret())).toBeUndefined();
  });

  it('does not restore tokens that are deleted while it loads', async () => {
    const secrets = Array.from({ length: 3000 }, newSecret);
    await open(secrets);
    const reading = known.complete();
    const gone = secrets.filter((_, n) => n % 300 === 0);
    for (const secret of gone) await drop(secret);
    await reading;
    for (const secret of gone) expect(known.find(secret)).toBeUndefined();
    expect(known.find(secrets[1] as string)).toBeDefined();
  });

  it('reads anew when all state was replaced', async () => {
    await open(['one', 'two']);
    await known.complete();
    await store.wipe(async (tx) => {
      await tx.put(tokens, secretHashOf('three').id, tokenOf('three'));
    });
    known.forget();
    expect(await known.find('one')).toBeUndefined();
    expect(await known.find('three')).toBeDefined();
  });
});
