import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Config, commandLineOptions, didYouMean, loadConfig } from '../../../src/kernel/config/config.ts';
import { findJsonMistake } from '../../../src/kernel/config/json-position.ts';
import { configurationReference } from '../../../src/kernel/config/reference.ts';
import { SETTING_LIST } from '../../../src/kernel/config/settings.ts';

describe('the table of settings', () => {
  it('gives each setting one name in three spellings', () => {
    for (const { name, flag, env } of SETTING_LIST) {
      const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(env).toBe(`CLOUDJAR_${dashed.replaceAll('-', '_').toUpperCase()}`);
      expect([undefined, dashed]).toContain(flag);
    }
    expect(SETTING_LIST.filter(({ flag }) => flag !== undefined).length).toBeGreaterThan(0);
  });

  it('has defaults that pass its own checks', () => {
    const withDefault = SETTING_LIST.filter((setting) => setting.default !== undefined);
    expect(withDefault.length).toBeGreaterThan(0);
    for (const { name, kind, default: fallback } of withDefault) {
      expect(kind.fromJson(fallback), name).toEqual(fallback);
    }
  });

  it('types the configuration precisely', () => {
    expectTypeOf<Config['port']>().toEqualTypeOf<number>();
    expectTypeOf<Config['clock']>().toEqualTypeOf<'shifted' | 'virtual' | 'system'>();
    expectTypeOf<Config['databaseUrl']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Config['clockStart']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Config['namespace']>().toEqualTypeOf<readonly string[]>();
  });

  it('keeps the admin key off the command line', () => {
    expect(commandLineOptions().map(({ name }) => name)).not.toContain('adminKey');
  });

  it('builds a command line whose parsed options load as they are', () => {
    const command = new Command().exitOverride();
    for (const { syntax, description, repeatable } of commandLineOptions()) {
      const option = new Option(syntax, description);
      if (repeatable) option.argParser((value: string, others: string[] = []) => [...others, value]);
      command.addOption(option);
    }
    const line = '--https-port 81 --memory --namespace A --namespace B --clock virtual --clock-start 2026-01-01';
    command.parse(line.split(' '), { from: 'user' });
    expect(loadConfig({ flags: command.opts(), cwd: '/' })).toMatchObject({
      port: 7400,
      httpsPort: 81,
      memory: true,
      namespace: ['A', 'B'],
      clock: 'virtual',
      clockStart: Date.UTC(2026, 0, 1),
    });
  });

  it('is what docs/reference/configuration.md says', () => {
    const page = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');
    expect(page, 'run npm run docs:reference').toBe(configurationReference());
  });
});

describe('did you mean', () => {
  it.each([
    ['prot', 'port'],
    ['databseUrl', 'databaseUrl'],
    ['SMTPPORT', 'smtpPort'],
    ['hsot', 'host'],
    ['xyz', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%j suggests %s', (word, suggestion) => {
    expect(didYouMean(word, ['port', 'host', 'databaseUrl', 'smtpPort'])).toBe(suggestion);
  });
});

describe('the place of a mistake in JSON', () => {
  it('is found in every text that JSON.parse refuses, and in no other', () => {
    const almostJson = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '\\', 'x', '0', '\n', ':'),
    );
    fc.assert(
      fc.property(almostJson, ([json, seed, patch]) => {
        const at = seed % (json.length + 1);
        const text = json.slice(0, at) + patch + json.slice(at + 1);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(findJsonMistake(text) === undefined).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });
});
