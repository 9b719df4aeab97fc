import { beforeEach, describe, expect, it } from 'vitest';
import { keyOfUrl, keysAbove, parseStorageUrl } from '../../../../src/services/platform/catalog/core/storage-url.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, ROLE, UC } from './people.ts';

describe('addresses of storage', () => {
  it.each([
    ['abfss://c@a.dfs.vendor.example/x/y/', 'data|m|abfss://c@a.dfs.vendor.example/x/y/'],
    ['S3A://Bucket', 'data|m|s3://bucket/'],
    ['gs://b/%2e%2e', 'data|m|gs://b/%2e%2e/'],
  ])('%s is %s', (address, key) => {
    const url = parseStorageUrl(address);
    expect(url && keyOfUrl('data', 'm', url)).toBe(key);
  });

  it.each([
    '',
    'b/p',
    'file:///etc',
    's3://',
    's3://b//p',
    's3://b/../c',
    's3://b/./c',
    's3://b/p?x',
    's3://b/a|b',
    's3://a b/c',
    `s3://b/${'x'.repeat(4100)}`,
    `s3://b${'/x'.repeat(101)}`,
    's3://b/a\u0000',
  ])('%j is none', (address) => {
    expect(parseStorageUrl(address)).toBeUndefined();
  });

  it('has itself and every folder above it', () => {
    const url = parseStorageUrl('s3://b/x/yy');
    expect(url && keysAbove('location', 'm', url)).toEqual([
      'location|m|s3://b/',
      'location|m|s3://b/x/',
      'location|m|s3://b/x/yy/',
    ]);
  });
});

onAnyStore('data platform: external locations', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'role', ...ROLE }));
  });

  const create = (name: string, url: string, more: object = {}, by: Ask = ask) =>
    by('POST', `${UC}/external-locations`, { name, url, credential_name: 'role', ...more });

  it('is made, changed, renamed and deleted', async () => {
    const made = await good(create('Raw', 's3://b/raw', { comment: 'c', fallback: true, skip_validation: true }));
    expect(made).toMatchObject({
      name: 'raw',
      url: 's3://b/raw',
      credential_name: 'role',
      comment: 'c',
      read_only: false,
      fallback: true,
      enable_file_events: false,
      isolation_mode: 'ISOLATION_MODE_OPEN',
      metastore_id: all.metastore,
    });
    expect(made).not.toHaveProperty('skip_validation');
    const change = { new_name: 'cooked', url: 's3://b/cooked', read_only: true };
    expect(await good(ask('PATCH', `${UC}/external-locations/raw`, change))).toMatchObject({
      name: 'cooked',
      url: 's3://b/cooked',
      read_only: true,
      comment: 'c',
    });
    await good(ask('PATCH', `${UC}/storage-credentials/role`, { new_name: 'better' }));
    expect((await good(ask('GET', `${UC}/external-locations/cooked`))).credential_name).toBe('better');
    await good(ask('DELETE', `${UC}/external-locations/cooked`));
    expect(refusal(await ask('GET', `${UC}/external-locations/cooked`))).toMatchObject({
      status: 404,
      code: 'EXTERNAL_LOCATION_DOES_NOT_EXIST',
    });
  });

  it('says what is missing or wrong', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ name: 'x', credential_name: 'role' }, 'CreateExternalLocation Missing required field: url'],
      [{ name: 'x', url: 's3://b' }, 'CreateExternalLocation Missing required field: credential_name'],
      [{ url: 's3://b', credential_name: 'role' }, 'Missing required field: name'],
      [{ name: 'x', url: 'https://b', credential_name: 'role' }, 'is not a valid url of an external location'],
    ];
    for (const [body, message] of cases)
      expect(refusal(await ask('POST', `${UC}/external-locations`, body))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining(message),
      });
    expect(refusal(await create('x', 's3://b', { credential_name: 'none' }))).toMatchObject({
      status: 404,
      code: 'CREDENTIAL_DOES_NOT_EXIST',
    });
    await good(ask('POST', `${UC}/credentials`, { name: 'service', purpose: 'SERVICE', ...ROLE }));
    expect(refusal(await create('x', 's3://b', { credential_name: 'service' })).message).toContain(
      'not a storage credential',
    );
  });

  it.each([
    ['s3://b/one', 's3://b/one', true],
    ['s3://b/one', 's3://b/one/', true],
    ['s3://b/one', 's3://b/one/two', true],
    ['s3://b/one/two', 's3://b/one', true],
    ['s3://b/one', 'S3A://B', true],
    ['s3://b/one', 's3://b/one2', false],
    ['s3://b/one', 's3://b/One', false],
    ['s3://b/one', 'gs://b/one', false],
  ])('%s and %s overlap: %s', async (first, second, overlap) => {
    await good(create('first', first));
    const reply = await create('second', second);
    expect(reply.status).toBe(overlap ? 400 : 200);
    if (overlap) expect(refusal(reply).message).toMatch(/LOCATION_OVERLAP.*Conflicting location: first\./);
    if (overlap) return;
    expect(refusal(await ask('PATCH', `${UC}/external-locations/second`, { url: first })).message).toContain(
      "'UpdateExternalLocation' call",
    );
  });

  it('managed storage must be in a location on which its creator has the privilege, and no location may be within it', async () => {
    await good(create('lake', 's3://b/lake'));
    expect(
      refusal(await ask('POST', `${UC}/catalogs`, { name: 'x', storage_root: 's3://elsewhere' })).message,
    ).toContain('is not within an external location');
    expect((await ask('POST', `${UC}/catalogs`, { name: 'x', storage_root: 'nothing' })).status).toBe(400);
    await granting(all, 'metastore', all.metastore, ['CREATE_CATALOG']);
    const root = { name: 'own', storage_root: 's3://b/lake/own' };
    expect(refusal(await other('POST', `${UC}/catalogs`, root)).message).toContain(
      'CREATE MANAGED STORAGE on ExternalLocation',
    );
    await granting(all, 'external_location', 'lake', ['CREATE_MANAGED_STORAGE']);
    expect((await good(other('POST', `${UC}/catalogs`, root))).storage_location).toBe('s3://b/lake/own');
    expect(refusal(await ask('DELETE', `${UC}/external-locations/lake`))).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
      message: expect.stringContaining("the catalog 'own'"),
    });
    expect((await ask('PATCH', `${UC}/external-locations/lake`, { url: 's3://b/pond' })).status).toBe(400);
    await good(ask('PATCH', `${UC}/external-locations/lake`, { url: 's3://b/pond', force: true }));
    expect(refusal(await create('inside', 's3://b/lake/own/deep')).message).toContain('overlaps with managed storage');
    await good(ask('DELETE', `${UC}/external-locations/lake?force=true`));
  });

  it('creating a location needs a privilege on the metastore and one on the credential', async () => {
    expect((await create('x', 's3://b', {}, other)).status).toBe(403);
    await granting(all, 'metastore', all.metastore, ['CREATE_EXTERNAL_LOCATION']);
    expect(refusal(await create('x', 's3://b', {}, other)).message).toContain(
      "CREATE EXTERNAL LOCATION on Credential 'role'",
    );
    await granting(all, 'credential', 'role', ['CREATE_EXTERNAL_LOCATION']);
    await good(create('x', 's3://b', {}, other));
    await good(create('hidden', 's3://c'));
    const names = async () =>
      (await good(other('GET', `${UC}/external-locations`))).external_locations.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names()).toEqual(['x']);
    await granting(all, 'external_location', 'hidden', ['BROWSE']);
    expect(await names()).toEqual(['x']);
    const { external_locations: browsed } = await good(other('GET', `${UC}/external-locations?include_browse=true`));
    expect(browsed.map(({ name, browse_only }: Record<string, unknown>) => [name, browse_only])).toEqual([
      ['hidden', true],
      ['x', false],
    ]);
  });

  it('a path credential gives access to an address of a location for an hour', async () => {
    await good(create('lake', 's3://b/lake'));
    const path = '/unity-catalog/temporary-path-credentials';
    const sent = { url: 's3://b/lake/x', operation: 'PATH_READ' };
    expect(refusal(await ask('POST', path, sent)).message).toContain('external_access_enabled is false');
    await good(ask('PATCH', `${UC}/metastores/${all.metastore}`, { external_access_enabled: true }));
    const given = await good(ask('POST', path, sent));
    expect(given).toMatchObject({
      url: 's3://b/lake/x',
      expiration_time: expect.any(Number),
      aws_temp_credentials: { access_key_id: expect.stringMatching(/^ASIA[A-Z0-9]{16}$/) },
    });
    expect(await good(ask('POST', path, { ...sent, operation: 'PATH_READ_WRITE' }))).not.toEqual(given);
    expect(await good(ask('POST', path, { ...sent, dry_run: true }))).toEqual({});
    expect((await ask('POST', path, { ...sent, operation: 'READ' })).status).toBe(400);
    expect((await ask('POST', path, { ...sent, url: 's3://elsewhere' })).status).toBe(403);
    await granting(all, 'external_location', 'lake', ['READ_FILES']);
    expect(refusal(await other('POST', path, sent)).message).toContain('EXTERNAL USE LOCATION');
    await granting(all, 'external_location', 'lake', ['EXTERNAL_USE_LOCATION']);
    await good(other('POST', path, sent));
    expect((await other('POST', path, { ...sent, operation: 'PATH_READ_WRITE' })).status).toBe(403);
    await good(ask('PATCH', `${UC}/external-locations/lake`, { read_only: true }));
    expect((await ask('POST', path, { ...sent, operation: 'PATH_READ_WRITE' })).status).toBe(400);
    const table = { table_id: 'none', operation: 'READ' };
    expect(refusal(await ask('POST', '/unity-catalog/temporary-table-credentials', table))).toMatchObject({
      status: 404,
      code: 'TABLE_DOES_NOT_EXIST',
    });
  });
});
