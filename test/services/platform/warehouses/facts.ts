import type { World } from '../compute/facts.ts';
import { good, refusal } from '../support.ts';

export const PATH = '/sql/warehouses';
export const PRO = { warehouse_type: 'PRO', enable_serverless_compute: true };

export const make = async ({ ask }: World, body: object = {}) =>
  refusal(await ask('POST', PATH, { name: 'w', ...body }));
export const create = async ({ ask }: World, body: object = {}): Promise<string> =>
  (await good(ask('POST', PATH, { name: 'w', ...body }))).id;
export const get = ({ ask }: World, id: string) => good(ask('GET', `${PATH}/${id}`));
export const act = async ({ ask }: World, id: string, verb: string, body: object = {}) =>
  refusal(await ask('POST', `${PATH}/${id}/${verb}`, body));
export const state = async (world: World, id: string): Promise<string> => (await get(world, id)).state;
export const running = async (world: World, body: object = {}): Promise<string> => {
  const id = await create(world, body);
  await world.advance('2m');
  return id;
};
export const stopped = async (world: World, body: object = {}): Promise<string> => {
  const id = await running(world, body);
  await act(world, id, 'stop');
  await world.advance('30s');
  return id;
};
