import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { customProperties, device, post } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';

withJar(
  (bench) => {
    let owner: Person;
    const anApp = async () => {
      owner = await administrator(bench);
      const name = `app-${randomUUID()}`;
      const app = await makeApp(owner, name);
      const phone = (values: Parameters<typeof customProperties>[0], given: Parameters<typeof device>[0] = {}) =>
        post(bench, app, randomUUID(), [customProperties(values, { device: device(given) })]);
      await phone({ plan: 'gold', age: 42, paying: true, since: new Date('2025-01-01') });
      await phone({ plan: 'silver', age: 17 }, { carrierCountry: 'kp', appVersion: '2.0' });
      await phone({ plan: 'gold' }, { osName: 'iOS', model: 'iPhone15,2', oemName: 'Apple', osApiLevel: null });
      const call = (method: string, path: string, body?: unknown) =>
        owner.call(method, `/apps/admin/${name}/analytics/audiences${path}`, body);
      return { app, call };
    };

    it('are made, changed, found, counted and deleted', async () => {
      const { call } = await anApp();
      const made = await call('PUT', '/Elsewhere', { definition: "CarrierCountry ne 'KP'", description: 'Not there' });
      expect(made.status, made.text).toBe(200);
      expect(made.body).toMatchObject({
        name: 'Elsewhere',
        description: 'Not there',
        definition: "CarrierCountry ne 'KP'",
        enabled: true,
        state: 'Ready',
        estimated_count: 2,
        estimated_total_count: 3,
      });
      expect((await call('HEAD', '/Elsewhere')).status).toBe(204);
      expect((await call('HEAD', '/elsewhere')).status).toBe(404);
      await call('PUT', '/Elsewhere', { definition: "plan eq 'gold'", enabled: false });
      expect((await call('GET', '/Elsewhere')).body).toMatchObject({ state: 'Disabled', estimated_count: 2 });
      expect((await call('GET', '')).body).toEqual({ values: [] });
      expect((await call('GET', '?include_disabled=true')).body.values).toMatchObject([{ name: 'Elsewhere' }]);
      expect((await call('DELETE', '/Elsewhere')).status).toBe(204);
      expect((await call('DELETE', '/Elsewhere')).body.error.code).toBe(404);
      expect((await call('GET', '/Elsewhere')).status).toBe(404);
    });

    it('are of the devices that their definition says', async () => {
      const { call } = await anApp();
      const counted: Record<string, number> = {};
      const expected = {
        "OsName eq 'Android'": 2,
        "plan eq 'gold' and age gt 18": 1,
        "plan eq 'gold' or AppVersion eq '2.0'": 3,
        'paying eq true': 1,
        'not (paying eq true)': 2,
        'since lt 2025-06-01T00:00:00Z': 1,
        'age ge 17': 2,
        "startswith(Model, 'iPhone')": 1,
        'ApiLevel ge 33': 2,
        "neverSet eq 'x'": 0,
      };
      for (const definition of Object.keys(expected)) {
        const body = { definition, custom_properties: { neverSet: 'string' } };
        const { body: tested, text } = await call('POST', '/definition/test', body);
        expect(tested, text).toMatchObject({ definition, estimated_total_count: 3 });
        counted[definition] = tested.estimated_count;
      }
      expect(counted).toEqual(expected);
    });

    it.each([
      [{ definition: 'plan is gold' }, /^The definition is not valid/],
      [{ definition: "color eq 'red'" }, /there is no property 'color'/],
      [{ definition: "age eq 'old'" }, /^The definition is not valid/],
      [{ definition: '' }, /'definition'/],
      [{ definition: 'x'.repeat(2001) }, /'definition'/],
      [{}, /'definition' of the request body is required/],
      [{ definition: "plan eq 'x'", description: 'd'.repeat(129) }, /'description'/],
      [{ definition: "plan eq 'x'", custom_properties: { plan: 'colour' } }, /'custom_properties.plan' .*must be/],
    ])('are refused with %o', async (body, message) => {
      const { call } = await anApp();
      const reply = await call('PUT', '/A', body);
      expect(reply.body).toEqual({ error: { code: 400, message: expect.stringMatching(message) } });
      expect((await call('HEAD', '/A')).status).toBe(404);
    });

    it('are made of device properties', async () => {
      const { call } = await anApp();
      expect((await call('GET', '/metadata/custom_properties')).body.values).toEqual({
        plan: 'string',
        age: 'number',
        paying: 'boolean',
        since: 'date_time',
      });
      expect((await call('GET', '/metadata/device_properties')).body.values).toMatchObject({
        AppVersion: 'string',
        ApiLevel: 'number',
      });
      const values = async (path: string) => (await call('GET', `/metadata/device_properties/${path}`)).body.values;
      expect(await values('OemName/values')).toEqual(['Apple', 'Google']);
      expect(await values('OemName/values?contains=oog')).toEqual(['Google']);
      expect((await call('GET', '/metadata/device_properties/Colour/values')).status).toBe(404);
      expect((await call('PUT', `/${'n'.repeat(65)}`, { definition: "plan eq 'x'" })).status).toBe(400);
    });

    it('follow what a device says last', async () => {
      const { app, call } = await anApp();
      const phone = randomUUID();
      const count = async (definition: string) =>
        (await call('POST', '/definition/test', { definition })).body.estimated_count;
      await post(bench, app, phone, [customProperties({ plan: 'bronze', age: 1 })]);
      expect(await count("plan eq 'bronze' and age eq 1")).toBe(1);
      await post(bench, app, phone, [customProperties({ plan: 'iron', age: null, 'not a name': 1 })]);
      expect(await count("plan eq 'bronze'")).toBe(0);
      expect(await count("plan eq 'iron' and age eq null")).toBe(1);
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
