import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportErrors } from '../../../../src/services/resources/export/errors.ts';
import { FOREIGN_TYPES } from '../../../../src/services/resources/foreign/types.ts';
import { moveErrors } from '../../../../src/services/resources/moves/errors.ts';
import { runTypeScript } from '../../../docs/examples.ts';
import { addressedTo, typeScriptOf, withCredential } from '../../../docs/page-jar.ts';
import { withJar } from '../../../support/jars.ts';

const PAGE = 'docs/services/generic-resources.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

describe('the page about generic resources', () => {
  it.each([...Object.keys(moveErrors), ...Object.keys(exportErrors)])('names %s', (code) => {
    expect(page.includes(`\`${code}\``)).toBe(true);
  });

  it('counts the providers and, roughly, their types', () => {
    const providers = new Set(FOREIGN_TYPES.map(({ type }) => type.split('/')[0]));
    expect(page).toContain(`of ${providers.size} providers`);
    expect(Math.round(FOREIGN_TYPES.length / 10) * 10).toBe(Number(/about (\d+) types/.exec(page)?.[1]));
  });
});

withJar((bench) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-generic-'));
    await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('its TypeScript runs', async () => {
    const code = withCredential(addressedTo(bench.jar, await typeScriptOf(PAGE)), await bench.jar.token());
    const shown = await runTypeScript(code, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
    expect(shown).toBe('true\nnamespaces_orders_name\n');
  });
});
