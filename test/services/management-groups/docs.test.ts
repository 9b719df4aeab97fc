import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANAGEMENT_GROUP_API_VERSIONS } from '../../../src/kernel/arm/index.ts';
import { groupErrors } from '../../../src/services/management-groups/errors.ts';
import { GROUP_LIMITS } from '../../../src/services/management-groups/limits.ts';
import { runTypeScript } from '../../docs/examples.ts';
import { addressedTo, typeScriptOf, withCredential } from '../../docs/page-jar.ts';
import { withJar } from '../../support/jars.ts';

const PAGE = 'docs/services/management-groups.md';
const page = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');

describe('the page about management groups', () => {
  const codes = new Set(Object.keys(groupErrors).map((name) => name.split('__')[0] as string));
  it.each([...codes, ...GROUP_LIMITS.map(({ name }) => name), 'AuthorizationFailed'])('names %s', (name) => {
    expect(page.includes(`\`${name}\``)).toBe(true);
  });

  it('names the first and the last api-version', () => {
    for (const version of [MANAGEMENT_GROUP_API_VERSIONS[0], MANAGEMENT_GROUP_API_VERSIONS.at(-1)])
      expect(page.includes(`\`${version}\``)).toBe(true);
  });
});

withJar((bench) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-groups-'));
    await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('its TypeScript runs', async () => {
    const code = withCredential(addressedTo(bench.jar, await typeScriptOf(PAGE)), await bench.jar.token());
    const shown = await runTypeScript(code, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
    expect(shown).toBe('shop /subscriptions\nshop delete\n');
  });
});
