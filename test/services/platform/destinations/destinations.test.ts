import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { findDestination } from '../../../../src/services/platform/destinations/find.ts';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import type { PlatformJar } from '../../../../src/services/platform/jar.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const PATH = '/notification-destinations';
const HOOK = { generic_webhook: { url: 'https://hook.example/in', username: 'u', password: 'hidden-password' } };

const probe = new JarProbe();

onAnyStore(
  'data platform: notification destinations',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    it('is created, read, listed, renamed and deleted; its secrets are sealed in the store and never shown', async () => {
      const made = await ask('POST', PATH, { display_name: 'Hook', config: HOOK });
      expect(made.body).toEqual({
        id: expect.any(String),
        display_name: 'Hook',
        destination_type: 'WEBHOOK',
        config: { generic_webhook: { url_set: true, username_set: true, password_set: true } },
      });
      const { id } = made.body;
      const renamed = await good(ask('PATCH', `${PATH}/${id}`, { display_name: 'Renamed' }));
      expect(renamed).toEqual({ ...made.body, display_name: 'Renamed' });
      expect((await good(ask('GET', PATH))).results).toEqual([
        { id, display_name: 'Renamed', destination_type: 'WEBHOOK' },
      ]);
      const stored = await probe.jar.store.query(objects, { limit: 10 });
      expect(JSON.stringify(stored)).not.toContain('hidden-password');
      const workspace = made.headers.get('x-databricks-org-id') as string;
      const jar = probe.jar as PlatformJar;
      expect(await findDestination(jar.store, jar, workspace, id)).toEqual({
        id,
        name: 'Renamed',
        type: 'WEBHOOK',
        config: HOOK.generic_webhook,
      });
      expect(await findDestination(jar.store, jar, '1', id)).toBeUndefined();
      const email = { email: { addresses: ['ops@vendor.example'] } };
      expect(refusal(await ask('PATCH', `${PATH}/${id}`, { config: email }))).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: 'The type of a notification destination cannot be changed.',
      });
      const bare = { generic_webhook: { url: 'https://hooks.example/new' } };
      expect(await good(ask('PATCH', `${PATH}/${id}`, { config: bare }))).toMatchObject({
        config: { generic_webhook: { url_set: true } },
      });
      await good(ask('DELETE', `${PATH}/${id}`));
      expect(refusal(await ask('GET', `${PATH}/${id}`))).toMatchObject({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
      });
    });

    it('the published client creates and lists destinations', async () => {
      const token = await bench.jar.token({ ttl: '365d' });
      const client = new WorkspaceClient({ host: bench.jar.url, token });
      const config = { pagerduty: { integration_key: 'k' } };
      const made = await client.notificationDestinations.create({ display_name: 'Pager', config });
      expect(made.destination_type).toBe('PAGERDUTY');
      const found = [];
      for await (const each of client.notificationDestinations.list({})) found.push(each.id);
      expect(found).toEqual([made.id]);
      await client.notificationDestinations.delete({ id: made.id as string });
    });

    it.each([
      [{ display_name: 'x' }, 'INVALID_PARAMETER_VALUE', 'Missing required field: config'],
      [{ display_name: 'x', config: {} }, 'INVALID_PARAMETER_VALUE', 'exactly one of'],
      [
        { display_name: 'x', config: { ...HOOK, email: { addresses: ['a@b'] } } },
        'INVALID_PARAMETER_VALUE',
        'exactly one',
      ],
      [{ display_name: 'x', config: { email: { addresses: [] } } }, 'INVALID_PARAMETER_VALUE', 'at least 1 items'],
      [
        { display_name: 'x', config: { email: { addresses: ['nobody'] } } },
        'INVALID_PARAMETER_VALUE',
        'mail addresses',
      ],
      [{ display_name: 'x', config: { slack: { channel_id: 'c' } } }, 'INVALID_PARAMETER_VALUE', 'must have url; or'],
      [{ display_name: 'x', config: { slack: { url: 'ftp://x' } } }, 'INVALID_PARAMETER_VALUE', 'https://'],
      [{ display_name: 'x', config: { slack: 'url' } }, 'MALFORMED_REQUEST', 'Could not parse'],
      [
        { display_name: 'x', config: { generic_webhook: { url: 'https://x.example', password: 'p' } } },
        'INVALID_PARAMETER_VALUE',
        "needs a 'username'",
      ],
    ])('refuses %j', async (body, code, message) => {
      const reply = await ask('POST', PATH, body);
      expect(refusal(reply)).toEqual({ status: 400, code, message: expect.stringContaining(message) });
      expect((await good(ask('GET', PATH))).results).toEqual([]);
    });

    it('only administrators write; a change must have a field; another tenant finds nothing', async () => {
      const { id } = await good(ask('POST', PATH, { display_name: 'Hook', config: HOOK }));
      const reader = await person(bench, 'licensed');
      expect(await good(reader('GET', `${PATH}/${id}`))).toEqual({
        id,
        display_name: 'Hook',
        destination_type: 'WEBHOOK',
      });
      expect(refusal(await reader('DELETE', `${PATH}/${id}`))).toMatchObject({ status: 403 });
      expect(refusal(await reader('POST', PATH, { display_name: 'x', config: HOOK }))).toMatchObject({ status: 403 });
      expect(refusal(await ask('PATCH', `${PATH}/${id}`, {}))).toMatchObject({ status: 400 });
      const other = await person(bench, 'other');
      expect(refusal(await other('GET', `${PATH}/${id}`))).toMatchObject({ status: 404 });
    });
  },
  { services: [...SERVICES, probe.service] },
);
