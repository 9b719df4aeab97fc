import { beforeEach, expect, it } from 'vitest';
import { type Bench, onAnyStore, type Reply } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { accountOf, GROUPS, group, PATCH_SCHEMA, SERVICE_PRINCIPALS, USERS, user, withoutRates } from './support.ts';

/** The published facts of SCIM, one row for each sentence that a client can observe: the call and the response. */

export interface World {
  readonly bench: Bench;
  readonly ask: Ask;
  /** `/accounts/{id}`. */
  readonly account: string;
  advance(time: string): Promise<unknown>;
}

export type Fact = readonly [sentence: string, look: (world: World) => Promise<unknown>, seen: unknown];

export type Resource = Reply['body'];

/** The body of a SCIM error. */
export const refused = (status: number, scimType: string | undefined, detail: unknown = expect.any(String)) => ({
  status,
  scimType,
  detail,
});

export const answer = ({ status, body }: Reply) =>
  status < 300 ? status : { status, scimType: body?.scimType, detail: body?.detail };

export const patched = async ({ ask }: World, path: string, ...Operations: readonly object[]) =>
  answer(await ask('PATCH', path, { schemas: [PATCH_SCHEMA], Operations }));

export const read = ({ ask }: World, path: string): Promise<Resource> => good(ask('GET', path), 200);

export const values = (list: readonly { readonly value: string }[] | undefined): string[] =>
  (list ?? []).map(({ value }) => value).sort();

/** A user after these operations, or the error if they are refused. */
export const userAfter =
  (operations: readonly object[], look: (user: Resource) => unknown, made: object = {}) =>
  async (world: World): Promise<unknown> => {
    const { id } = await user(world.ask, 'ada', made);
    const status = await patched(world, `${USERS}/${id}`, ...operations);
    return status === 204 ? look(await read(world, `${USERS}/${id}`)) : status;
  };

/** The names of the members of a group of `a` and `b` after these operations. `c` is not a member at first. */
export const membersAfter =
  (operations: (ids: { a: string; b: string; c: string }) => readonly object[]) =>
  async (world: World): Promise<unknown> => {
    const [a, b, c] = [await user(world.ask, 'a'), await user(world.ask, 'b'), await user(world.ask, 'c')];
    const { id } = await group(world.ask, 'team', a.id, b.id);
    const status = await patched(world, `${GROUPS}/${id}`, ...operations({ a: a.id, b: b.id, c: c.id }));
    if (status !== 204) return status;
    const names = new Map([a, b, c].map((each) => [each.id, each.userName.split('@')[0]]));
    return values((await read(world, `${GROUPS}/${id}`)).members)
      .map((each) => names.get(each))
      .sort();
  };

/** The names of the users that a filter finds. */
export const found = async ({ ask }: World, path: string, filter: string): Promise<unknown> => {
  const reply = await ask('GET', `${path}?${new URLSearchParams({ filter })}`);
  if (reply.status !== 200) return answer(reply);
  return (reply.body.Resources as Resource[]).map(({ userName, displayName }) => userName ?? displayName).sort();
};

export const kinds = [
  ['Users', USERS, { userName: 'x@contoso.example' }],
  ['Groups', GROUPS, { displayName: 'x' }],
  ['ServicePrincipals', SERVICE_PRINCIPALS, { displayName: 'x' }],
] as const;

/** One test per row. */
export const checkFacts = (title: string, facts: readonly Fact[]): void =>
  onAnyStore(title, (bench) => {
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
    });

    it.each(facts)('%s', async (_sentence, look, seen) => {
      const ask = await person(bench);
      const account = `/accounts/${await accountOf(bench)}`;
      const world: World = { bench, ask, account, advance: (time) => bench.jar.clock.advance(time) };
      expect(await look(world)).toEqual(seen);
    });
  });
