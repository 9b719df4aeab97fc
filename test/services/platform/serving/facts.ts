import { expect } from 'vitest';
import type { World } from '../compute/facts.ts';
import { good, refusal } from '../support.ts';
import { PATH } from './support.ts';

/** Statements of the reference about serving endpoints and their configuration. */

export const served = (...entities: readonly object[]) => ({ config: { served_entities: entities } });
export const make = async ({ ask }: World, body: object = {}) =>
  refusal(await ask('POST', PATH, { name: 'e', ...body }));
export const create = ({ ask }: World, body: object = {}) => good(ask('POST', PATH, { name: 'e', ...body }));
export const get = ({ ask }: World, name = 'e') => good(ask('GET', `${PATH}/${name}`));
export const put = async ({ ask }: World, path: string, body: object) =>
  refusal(await ask('PUT', `${PATH}/e/${path}`, body));
export const config = async (world: World, body: object) => {
  await create(world, body);
  return (await get(world)).pending_config;
};
export const model = (rest: object = {}) => ({ entity_name: 'm', entity_version: '1', ...rest });
export const openai = (rest: object = {}) => ({
  provider: 'openai',
  name: 'gpt-4.1:x',
  task: 'llm/v1/chat',
  openai_config: { openai_api_key_plaintext: 'sk-very-secret' },
  ...rest,
});
export const routes = (...given: readonly (readonly [string, number])[]) => ({
  traffic_config: {
    routes: given.map(([served_entity_name, traffic_percentage]) => ({ served_entity_name, traffic_percentage })),
  },
});
export const CONFLICT = {
  status: 409,
  code: 'RESOURCE_CONFLICT',
  message: expect.stringContaining('currently updating'),
};
export const MISSING = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };
export const overBound = expect.objectContaining({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
