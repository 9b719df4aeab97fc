import { beforeEach, expect, it } from 'vitest';
import { CONNECTION_TYPES } from '../../../../src/services/platform/catalog/connections/types.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, UC } from './people.ts';

const MYSQL = { connection_type: 'MYSQL', options: { host: 'db.vendor.example', user: 'u', password: 'hidden-1' } };

const probe = new JarProbe();

onAnyStore(
  'data platform: connections',
  (bench) => {
    let all: People;
    let ask: Ask;
    let other: Ask;

    beforeEach(async () => {
      all = await people(bench);
      ({ ask, other } = all);
    });

    const grant = (type: string, name: string, ...add: string[]) => granting(all, type, name, add);

    it('secret options are sealed, never shown, and stay if a change does not repeat them', async () => {
      const made = await good(ask('POST', `${UC}/connections`, { name: 'Shop', ...MYSQL, comment: 'c' }));
      expect(made).toMatchObject({
        name: 'shop',
        options: { host: 'db.vendor.example', user: 'u' },
        url: 'jdbc:mysql://db.vendor.example:3306/',
        credential_type: 'USERNAME_PASSWORD',
        securable_type: 'CONNECTION',
        read_only: false,
      });
      const changed = await good(
        ask('PATCH', `${UC}/connections/shop`, {
          new_name: 'store',
          options: { host: 'other.vendor.example', user: 'v' },
        }),
      );
      expect(changed).toMatchObject({
        name: 'store',
        connection_id: made.connection_id,
        options: { host: 'other.vendor.example', user: 'v' },
        credential_type: 'USERNAME_PASSWORD',
      });
      const texts = await Promise.all([
        ask('GET', `${UC}/connections/store`),
        ask('GET', `${UC}/connections`),
        ask('GET', '//_jar/changes'),
      ]);
      for (const { text } of texts) expect(text).not.toContain('hidden-1');
      const stored: string[] = [];
      await probe.jar.store.capture([], async (parts) => {
        for await (const part of parts) stored.push(JSON.stringify(part));
      });
      expect(stored.join()).toContain('other.vendor.example');
      expect(stored.join()).not.toContain('hidden-1');
    });

    it.each([
      [{ ...MYSQL, connection_type: 'ABACUS' }, 'INVALID_PARAMETER_VALUE', "'connection_type' must be one of"],
      [{ options: { host: 'h' } }, 'INVALID_PARAMETER_VALUE', 'Missing required field: connection_type'],
      [{ connection_type: 'MYSQL' }, 'INVALID_PARAMETER_VALUE', 'Missing required field: options'],
      [{ connection_type: 'MYSQL', options: {} }, 'INVALID_PARAMETER_VALUE', 'Missing required field: options.host'],
      [{ connection_type: 'HTTP', options: { host: 1 } }, 'MALFORMED_REQUEST', "'options.host' must be a string"],
      [{ ...MYSQL, properties: { a: {} } }, 'MALFORMED_REQUEST', "'properties.a' must be a string"],
      [
        {
          connection_type: 'GLUE',
          options: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`o${at}`, ''])),
        },
        'INVALID_PARAMETER_VALUE',
        'at most 100 entries',
      ],
    ])('%j is refused', async (body, code, message) => {
      expect(refusal(await ask('POST', `${UC}/connections`, { name: 'x', ...body }))).toMatchObject({
        status: 400,
        code,
        message: expect.stringContaining(message),
      });
    });

    it('every type can be created, and a change must have the options', async () => {
      for (const [at, connection_type] of Object.keys(CONNECTION_TYPES).entries())
        await good(ask('POST', `${UC}/connections`, { name: `c${at}`, connection_type, options: { host: 'h' } }));
      const { connections } = await good(ask('GET', `${UC}/connections`));
      expect(connections).toHaveLength(Object.keys(CONNECTION_TYPES).length);
      expect(refusal(await ask('PATCH', `${UC}/connections/c0`, { new_name: 'y' }))).toMatchObject({
        status: 400,
        message: 'Missing required field: options',
      });
    });

    it('creating a connection, or a foreign catalog of one, needs the privileges for it', async () => {
      expect(refusal(await other('POST', `${UC}/connections`, { name: 'x', ...MYSQL }))).toMatchObject({
        status: 403,
        message: expect.stringContaining('CREATE CONNECTION on Metastore'),
      });
      await good(ask('POST', `${UC}/connections`, { name: 'shop', ...MYSQL }));
      const { metastore_id: metastore } = await good(ask('GET', `${UC}/metastore_summary`));
      await grant('metastore', metastore, 'CREATE_CATALOG');
      const foreign = { name: 'theirs', connection_name: 'shop' };
      expect((await other('GET', `${UC}/connections/shop`)).status).toBe(403);
      expect(refusal(await other('POST', `${UC}/catalogs`, foreign))).toMatchObject({
        status: 403,
        message: expect.stringContaining("CREATE FOREIGN CATALOG on Connection 'shop'"),
      });
      await grant('connection', 'shop', 'CREATE_FOREIGN_CATALOG');
      await good(other('POST', `${UC}/catalogs`, foreign));
      expect((await good(other('GET', `${UC}/connections`))).connections).toHaveLength(1);
      expect(refusal(await ask('POST', `${UC}/catalogs`, { name: 'no', connection_name: 'gone' }))).toMatchObject({
        status: 404,
        code: 'CONNECTION_DOES_NOT_EXIST',
      });
    });

    it('a foreign catalog keeps its connection through renames, and from being deleted', async () => {
      await good(ask('POST', `${UC}/connections`, { name: 'shop', ...MYSQL }));
      await good(ask('POST', `${UC}/catalogs`, { name: 'orders', connection_name: 'SHOP' }));
      await good(ask('PATCH', `${UC}/connections/shop`, { new_name: 'store', options: MYSQL.options }));
      expect((await good(ask('GET', `${UC}/catalogs/orders`))).connection_name).toBe('store');
      expect(refusal(await ask('DELETE', `${UC}/connections/store?force=true`))).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
        message: expect.stringContaining("the catalog 'orders'"),
      });
      await good(ask('DELETE', `${UC}/catalogs/orders?force=true`));
      await good(ask('DELETE', `${UC}/connections/store`));
      expect(refusal(await ask('GET', `${UC}/connections/store`))).toMatchObject({ status: 404 });
    });
  },
  { services: [...SERVICES, probe.service] },
);
