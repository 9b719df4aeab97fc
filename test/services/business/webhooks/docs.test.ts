import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config.ts';
import { findMistake } from '../../../../src/kernel/http/validate.ts';
import { settingsControl } from '../../../../src/services/business/control/settings-routes.ts';
import { businessControlErrors } from '../../../../src/services/business/control/subscription-errors.ts';
import { subscriptionControl } from '../../../../src/services/business/control/subscription-routes.ts';
import { SettingsSchema } from '../../../../src/services/business/settings-schema.ts';
import { MAXIMUM_SUBSCRIPTIONS, SETTING_NAMES } from '../../../../src/services/business/settings-table.ts';
import { REMOVAL_REASONS } from '../../../../src/services/business/webhooks/collection.ts';
import { SUBSCRIPTIONS } from '../../../../src/services/business/webhooks/limits.ts';
import { STANDARD_ENTITIES } from '../../../../src/services/business/webhooks/notifiable.ts';
import { HANDSHAKE } from '../../../../src/services/business/webhooks/policy.ts';
import { blocksOf, runShell } from '../../../docs/examples.ts';

const PAGE = 'docs/business-webhooks.md';
const read = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

describe('the page about webhooks', () => {
  it.each([...SETTING_NAMES, MAXIMUM_SUBSCRIPTIONS])('tells the setting %s', (name) => {
    expect(page).toContain(`| \`${name}\` |`);
  });

  it.each(REMOVAL_REASONS)('tells the reason %s', (reason) => {
    expect(page).toContain(`| \`${reason}\` |`);
  });

  it.each(Object.keys(businessControlErrors))('names the error %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it.each([...settingsControl, ...subscriptionControl].map(({ method, path }) => [method, path]))(
    'names the call %s %s, here and among those of the control API',
    (method, path) => {
      expect(page).toContain(`\`${method} ${path}`);
      expect(read('docs/control.md')).toContain(path);
    },
  );

  it('names the limit, the policy and every entity that notifies', () => {
    expect(page).toContain(`\`${SUBSCRIPTIONS.name}\``);
    expect(page).toContain(`\`${HANDSHAKE}\``);
    const [, listed] = page.split('In both versions: ');
    expect(listed?.split('.', 1)[0]?.split(/,\s+/)).toEqual(STANDARD_ENTITIES);
  });

  it('has a configuration that a jar takes', async () => {
    const [example] = (await blocksOf(PAGE)).filter(({ language }) => language === 'json');
    const { services } = JSON.parse(example?.code ?? '{}');
    expect(await findMistake(SettingsSchema, services.business)).toBeUndefined();
  });

  it('has an example that does what it says', async ({ skip }) => {
    if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-webhooks-'));
    const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' };
    const jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) });
    try {
      const [block] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
      const code = (block?.code ?? '').replaceAll('http://127.0.0.1:7400', jar.url);
      const env = { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url, CLOUDJAR_ADMIN_KEY: jar.adminKey };
      const agreed = '"kind":"validationToken","answered":true\n';
      expect(await runShell(code, env, folder)).toBe(`"clientState":"a secret that we share"\n200\n${agreed}${agreed}`);
    } finally {
      await jar.close();
      await rm(folder, { recursive: true });
    }
  });
});
