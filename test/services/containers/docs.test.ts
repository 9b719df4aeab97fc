import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTAINER_LIMITS } from '../../../src/services/containers/api/limits.ts';
import { GROUP_PROPERTIES } from '../../../src/services/containers/api/schema.ts';
import { containerErrors } from '../../../src/services/containers/errors.ts';
import { SettingsSchema } from '../../../src/services/containers/settings-schema.ts';

const page = readFileSync(new URL('../../../docs/services/containers.md', import.meta.url), 'utf8');

interface Settings {
  readonly properties?: Readonly<Record<string, Settings>>;
}

const settingsIn = ({ properties = {} }: Settings, path = ''): string[] =>
  Object.entries(properties).flatMap(([name, setting]) =>
    setting.properties ? settingsIn(setting, `${path}${name}.`) : [`${path}${name}`],
  );

describe('the page about container groups', () => {
  it.each(Object.keys(containerErrors))('names the error %s', (code) => {
    expect(page.includes(`\`${code}\``)).toBe(true);
  });

  it.each(CONTAINER_LIMITS.map(({ name }) => name))('names the limit %s', (name) => {
    expect(page.includes(`\`${name}\``)).toBe(true);
  });

  it.each(settingsIn(SettingsSchema as unknown as Settings))('names the setting %s', (name) => {
    expect(page.includes(`\`${name}\``)).toBe(true);
  });

  it('describes the effect of every field', () => {
    const { properties } = GROUP_PROPERTIES.schema() as unknown as { properties: Record<string, unknown> };
    expect(Object.keys(properties).filter((field) => !page.includes(`| \`properties.${field}`))).toEqual([]);
  });
});
