import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LIVE_DETECTABLE } from '../../../src/services/translator/languages/facts.ts';
import { type StartJarOptions, startJar } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../cli/cli.ts';
import { withJar } from '../../support/jars.ts';
import { ask, detect, GERMAN, RUSSIAN } from './support.ts';

const OWN = 'a-key-of-my-own-1234';
const OTHER = 'another-key-5678-9012';

async function started(options: StartJarOptions) {
  const jar = await startJar(options);
  onTestFinished(() => jar.close());
  const status = async (key: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${jar.url}/detect?api-version=3.0`, {
      method: 'POST',
      headers: { 'Ocp-Apim-Subscription-Key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify([{ Text: GERMAN }]),
    });
    return response.status;
  };
  const control = async (method: string, path: string, sent?: object) => {
    const headers = { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/json' };
    const body = sent === undefined ? null : JSON.stringify(sent);
    const response = await fetch(`${jar.url}/_jar/translator/keys${path}`, { method, headers, body });
    return { status: response.status, body: (await response.json()) as { key: string; value?: object[] } };
  };
  return { jar, status, control };
}

describe('keys of the configuration', () => {
  it('work beside the seeded one, and the control API lists them but cannot change them', async () => {
    const keys = [
      { name: 'ours', key: OWN },
      { name: 'far', key: OTHER, region: 'westus', tier: 'S1' },
    ];
    const { jar, status, control } = await started({ settings: { translator: { keys } } });
    const { translator: seeded } = await jar.keys();
    expect([await status(OWN), await status(seeded), await status(OTHER)]).toEqual([200, 200, 401]);
    expect(await status(OTHER, { 'Ocp-Apim-Subscription-Region': 'westus' })).toBe(200);
    expect((await control('GET', '')).body.value).toEqual([
      { name: 'far', kind: 'translator', tier: 'S1', region: 'westus', source: 'configuration' },
      { name: 'ours', kind: 'translator', source: 'configuration' },
      { name: 'default', kind: 'translator', source: 'store' },
    ]);
    expect((await control('GET', '/OURS')).body).toMatchObject({ key: OWN, source: 'configuration' });
    expect(await control('DELETE', '/ours')).toMatchObject({ status: 409, body: { error: { code: 'KeyConfigured' } } });
    expect(await control('PUT', '/Ours')).toMatchObject({ status: 409, body: { error: { code: 'KeyConfigured' } } });
    expect(await control('PUT', '/mine', { key: OWN })).toMatchObject({
      status: 409,
      body: { error: { code: 'KeyTaken', target: 'key' } },
    });
  });

  it('override the seeded one if they have its name', async () => {
    const secretKey = Buffer.alloc(32, 7).toString('base64url');
    const before = await started({ secretKey });
    const { translator: seeded } = await before.jar.keys();
    const after = await started({ secretKey, settings: { translator: { keys: [{ name: 'Default', key: OWN }] } } });
    expect((await after.jar.keys()).translator).toBe(OWN);
    expect([await after.status(OWN), await after.status(seeded)]).toEqual([200, 401]);
    expect((await (await started({})).jar.keys()).translator).not.toBe(seeded);
  });

  it.each([
    [{ keys: [{ name: 'a' }] }, 'services.translator: keys[0].key is required'],
    [{ keys: [{ name: 'a', key: 'short' }] }, /services\.translator: keys\[0\]\.key /],
    [
      { keys: [{ name: 'a', key: OWN, tier: 'X' }] },
      'services.translator: keys[0].tier must be "F0" or "S1" or "S2" or "S3" or "S4"',
    ],
    [
      {
        keys: [
          { name: 'a', key: OWN },
          { name: 'A', key: OTHER },
        ],
      },
      'services.translator: keys has two keys of the same name',
    ],
    [
      {
        keys: [
          { name: 'a', key: OWN },
          { name: 'b', key: OWN },
        ],
      },
      'services.translator: keys has the same key under two names',
    ],
    [{ liveDetectable: 'yes' }, 'services.translator: liveDetectable must be boolean'],
    [{ livedetectable: true }, 'services.translator: livedetectable is not known here'],
  ])('%j keeps the jar from starting', async (translator, message) => {
    await expect(startJar({ settings: { translator } })).rejects.toThrow(message);
  });
});

describe('keys of a seed file', () => {
  const seedOf = (keys: readonly object[]): string => {
    const file = `${temporaryFolder()}/seed.json`;
    writeFileSync(file, JSON.stringify({ translator: { keys } }));
    return file;
  };

  it('replace the seeded one', async () => {
    const seed = seedOf([
      { name: 'ours', key: OWN },
      { name: 'made', tier: 'F0' },
      { name: 'voice', key: OTHER, kind: 'speech' },
    ]);
    const { jar, status, control } = await started({ seed });
    expect([await status(OWN), await status(OTHER)]).toEqual([200, 401]);
    const { body } = await control('GET', '/made');
    expect(body).toMatchObject({ tier: 'F0', key: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await status(body.key)).toBe(200);
    expect((await jar.keys()).translator).toBe(body.key);
    await jar.reset();
    expect(await status(body.key)).toBe(200);
  });

  it.each([
    [[{ key: OWN }], /translator\.keys\[0\]\.name is required/],
    [[{ name: '-', key: OWN }], /translator\.keys\[0\]\.name /],
    [[{ name: 'a' }, { name: 'A' }], "translator.keys: 'A' has the name or the key of another"],
    [
      [
        { name: 'a', key: OWN },
        { name: 'b', key: OWN },
      ],
      "translator.keys: 'b' has the name or the key of another",
    ],
  ])('%j are refused with their place', async (keys, message) => {
    await expect(startJar({ seed: seedOf(keys) })).rejects.toThrow(message);
  });
});

withJar(
  (bench) => {
    it('with liveDetectable only languages that the real service detects are detected', async () => {
      const reply = await detect(bench, [
        GERMAN,
        RUSSIAN,
        'Habari ya asubuhi, rafiki yangu',
        'Saluton al vi ĉiuj',
        '12',
        '',
      ]);
      expect(reply.status).toBe(200);
      for (const { language, alternatives = [] } of reply.body) {
        for (const code of [language, ...alternatives.map((other: { language: string }) => other.language)]) {
          expect(LIVE_DETECTABLE).toContain(code);
        }
      }
      expect(reply.body.slice(0, 2).map(({ language }: { language: string }) => language)).toEqual(['de', 'ru']);
      const broken = await ask(bench, '/breaksentence', { body: [{ Text: GERMAN }] });
      expect(broken.body[0].detectedLanguage.language).toBe('de');
    });
  },
  { settings: { translator: { liveDetectable: true } } },
);
