import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';

onAnyStore('data platform: permissions that resources give to the service principal of an app', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await good(ask('POST', '/secrets/scopes/create', { scope: 'keys' }));
    for (const key of ['a', 'b'])
      await good(ask('POST', '/secrets/put', { scope: 'keys', key, string_value: 'hidden' }));
  });

  const secret = (name: string, key: string, permission: string) => ({
    name,
    secret: { scope: 'keys', key, permission },
  });
  const job = (name: string, id: number, permission: string) => ({ name, job: { id: String(id), permission } });
  const newJob = async (): Promise<number> => (await good(ask('POST', '/api/2.2/jobs/create', { name: 'j' }))).job_id;
  const create = (resources: readonly object[]) => good(ask('POST', '/apps', { name: 'shop', resources }));
  const patch = (resources: readonly object[]) => good(ask('PATCH', '/apps/shop', { resources }));
  const inScope = async (principal: string): Promise<string | undefined> => {
    const { items = [] } = await good(ask('GET', '/secrets/acls/list?scope=keys'));
    return items.find((each: { principal: string }) => each.principal === principal)?.permission;
  };
  const onJob = async (id: number, principal: string): Promise<string | undefined> => {
    const { access_control_list: list } = await good(ask('GET', `/permissions/jobs/${id}`));
    const entry = list.find((each: { service_principal_name?: string }) => each.service_principal_name === principal);
    return entry?.all_permissions[0].permission_level;
  };

  it('two secrets of one scope give the higher permission, and the other stays when one goes', async () => {
    const { service_principal_client_id: principal } = await create([
      secret('one', 'a', 'MANAGE'),
      secret('two', 'b', 'READ'),
    ]);
    expect(await inScope(principal)).toBe('MANAGE');
    await patch([secret('two', 'b', 'READ')]);
    expect(await inScope(principal)).toBe('READ');
    await patch([]);
    expect(await inScope(principal)).toBeUndefined();
  });

  it('two resources of one job give the higher level', async () => {
    const id = await newJob();
    const { service_principal_client_id: principal } = await create([
      job('one', id, 'CAN_MANAGE'),
      job('two', id, 'CAN_VIEW'),
    ]);
    expect(await onJob(id, principal)).toBe('CAN_MANAGE');
    await patch([job('two', id, 'CAN_VIEW')]);
    expect(await onJob(id, principal)).toBe('CAN_VIEW');
  });

  it("an app that is deleted during an update keeps none of the update's permissions", async () => {
    const id = await newJob();
    const { service_principal_client_id: principal } = await create([]);
    await bench.jar.clock.advance('10m');
    const body = {
      update_mask: 'resources',
      app: { resources: [job('one', id, 'CAN_VIEW'), secret('two', 'a', 'READ')] },
    };
    await good(ask('POST', '/apps/shop/update', body));
    expect(await onJob(id, principal)).toBe('CAN_VIEW');
    await good(ask('DELETE', '/apps/shop'));
    await bench.jar.clock.advance('1h');
    const { access_control_list: left } = await good(ask('GET', `/permissions/jobs/${id}`));
    expect(JSON.stringify(left)).not.toContain('CAN_VIEW');
    const { items } = await good(ask('GET', '/secrets/acls/list?scope=keys'));
    expect(items).toHaveLength(1);
  });
});
