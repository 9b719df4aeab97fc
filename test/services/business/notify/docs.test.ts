import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config.ts';
import { changeControlErrors } from '../../../../src/services/business/control/changes-errors.ts';
import { Explanation } from '../../../../src/services/business/control/changes-explain.ts';
import { changeControl } from '../../../../src/services/business/control/changes-routes.ts';
import { NOTIFICATION } from '../../../../src/services/business/notify/policy.ts';
import { DEFAULT_TRACES } from '../../../../src/services/business/notify/traces.ts';
import { blocksOf, runShell } from '../../../docs/examples.ts';

const PAGE = 'docs/business-webhooks.md';
const read = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

describe('what the page about webhooks says of notifications', () => {
  it.each([...Explanation.properties.rule.enum])('tells the rule %s', (rule) => {
    expect(page).toContain(`| \`${rule}\` |`);
  });

  it.each([...Explanation.properties.state.enum])('names the state %s', (state) => {
    expect(page).toContain(`\`${state}\``);
  });

  it.each(Object.keys(changeControlErrors))('names the error %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it.each(changeControl.map(({ method, path }) => [method, path]))('names the call %s %s', (method, path) => {
    expect(page).toContain(`\`${method} ${path}`);
    expect(read('docs/control.md')).toContain(path);
  });

  it('names the policy and how many changes are kept', () => {
    expect(page).toContain(`\`${NOTIFICATION}\``);
    expect(page).toContain(`The newest ${DEFAULT_TRACES.toLocaleString('en')} changes`);
  });

  it('has an example that goes on with the one before and does what it says', async ({ skip }) => {
    if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-notifications-'));
    const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' };
    const jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) });
    try {
      const blocks = (await blocksOf(PAGE)).filter(({ marked }) => marked);
      const code = blocks
        .map((block) => block.code)
        .join('\n')
        .replaceAll('http://127.0.0.1:7400', jar.url);
      const env = { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url, CLOUDJAR_ADMIN_KEY: jar.adminKey };
      const printed = await runShell(code, env, folder);
      expect(printed.split('\n').slice(-3)).toEqual(['changeType\\":\\"created', '"state":"notified"', '']);
    } finally {
      await jar.close();
      await rm(folder, { recursive: true });
    }
  });
});
