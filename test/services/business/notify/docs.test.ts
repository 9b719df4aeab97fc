import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeControlErrors } from '../../../../src/services/business/control/changes-errors.ts';
import { Explanation } from '../../../../src/services/business/control/changes-explain.ts';
import { changeControl } from '../../../../src/services/business/control/changes-routes.ts';
import { DEFAULT_TRACES } from '../../../../src/services/business/notify/traces.ts';
import { NOTIFICATION } from '../../../../src/services/business/policies.ts';
import { markedCode, needCurl, PageJar } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/business-webhooks.md';
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
    expect(read('docs/reference/control.md')).toContain(path);
  });

  it('names the policy and how many changes are kept', () => {
    expect(page).toContain(`\`${NOTIFICATION}\``);
    expect(page).toContain(`The newest ${DEFAULT_TRACES.toLocaleString('en')} changes`);
  });

  it('has an example that continues the one before and does what it says', async ({ skip }) => {
    needCurl(skip);
    await using jar = await PageJar.open();
    const printed = await jar.shell(await markedCode(PAGE), { CLOUDJAR_ADMIN_KEY: jar.jar.adminKey });
    expect(printed.split('\n').slice(-3)).toEqual(['changeType\\":\\"created', '"state":"notified"', '']);
  });
});
