import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayApiErrors } from '../../../src/services/resources/errors.ts';
import { runTypeScript } from '../../docs/examples.ts';
import { addressedTo, typeScriptOf, withCredential } from '../../docs/page-jar.ts';
import { withJar } from '../../support/jars.ts';

const PAGES = ['resources', 'tags', 'locks'].map((name) => `docs/services/${name}.md`);
const text = PAGES.map((page) => readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')).join('');

describe('the pages about the gateway', () => {
  const others = ['ScopeLocked', 'TooManyLocks', 'ReservedResourceName', 'InvalidTag', 'management.locks'];
  it.each([...Object.keys(gatewayApiErrors), ...others])('name %s', (name) => {
    expect(text.includes(`\`${name}\``)).toBe(true);
  });
});

withJar((bench) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-gateway-'));
    await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['docs/services/tags.md', "shop { env: 'test', team: 'a' }\nenv 1\nteam 1\n"],
    ['docs/services/locks.md', '409 ScopeLocked\n'],
  ])('the TypeScript of %s runs', async (page, expected) => {
    const code = withCredential(addressedTo(bench.jar, await typeScriptOf(page)), await bench.jar.token());
    expect(await runTypeScript(code, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toBe(expected);
  });
});
