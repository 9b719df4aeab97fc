import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingErrors, settingsCalls } from '../../../../src/kernel/settings/control.ts';
import { findMistake } from '../../../../src/kernel/values/find-mistake.ts';
import { businessControlErrors } from '../../../../src/services/business/control/subscription-errors.ts';
import { subscriptionControl } from '../../../../src/services/business/control/subscription-routes.ts';
import { HANDSHAKE } from '../../../../src/services/business/policies.ts';
import { settingsRules } from '../../../../src/services/business/settings-schema.ts';
import { BUSINESS_SETTINGS } from '../../../../src/services/business/settings-table.ts';
import { REMOVAL_REASONS } from '../../../../src/services/business/webhooks/collection.ts';
import { SUBSCRIPTIONS } from '../../../../src/services/business/webhooks/limits.ts';
import { STANDARD_ENTITIES } from '../../../../src/services/business/webhooks/notifiable.ts';
import { blocksOf } from '../../../docs/examples.ts';
import { needCurl, PageJar } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/business-webhooks.md';
const read = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

describe('the page about webhooks', () => {
  it.each(Object.keys(BUSINESS_SETTINGS.rows))('tells the setting %s', (name) => {
    expect(page).toContain(`| \`${name}\` |`);
  });

  it.each(REMOVAL_REASONS)('names the reason %s', (reason) => {
    expect(page).toContain(`| \`${reason}\` |`);
  });

  it.each(Object.keys({ ...settingErrors, ...businessControlErrors }))('names the error %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it.each(
    [...Object.values(settingsCalls(BUSINESS_SETTINGS)), ...subscriptionControl].map(({ method, path }) => [
      method,
      path,
    ]),
  )('names the call %s %s, here and among those of the control API', (method, path) => {
    expect(page).toContain(`\`${method} ${path}`);
    expect(read('docs/reference/control.md')).toContain(path);
  });

  it('names the limit, the policy and every entity that notifies', () => {
    expect(page).toContain(`\`${SUBSCRIPTIONS.name}\``);
    expect(page).toContain(`\`${HANDSHAKE}\``);
    const [, listed] = page.split('In both versions: ');
    expect(listed?.split('.', 1)[0]?.split(/,\s+/)).toEqual(STANDARD_ENTITIES);
  });

  it('has a configuration that a jar accepts', async () => {
    const [example] = (await blocksOf(PAGE)).filter(({ code }) => code.includes('"services"'));
    const { services } = JSON.parse(example?.code ?? '{}');
    expect(await findMistake(settingsRules.schema, services.business)).toBeUndefined();
  });

  it('has an example that does what it says', async ({ skip }) => {
    needCurl(skip);
    await using jar = await PageJar.open();
    const agreed = '"kind":"validationToken","answered":true\n';
    const [block] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
    expect(await jar.shell(block?.code ?? '', { CLOUDJAR_ADMIN_KEY: jar.jar.adminKey })).toBe(
      `"clientState":"a secret that we share"\n200\n${agreed}${agreed}`,
    );
  });
});
