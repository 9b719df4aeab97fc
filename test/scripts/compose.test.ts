import { readFileSync } from 'node:fs';
import { loadYaml } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { SETTINGS } from '../../src/kernel/config/settings.ts';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly stop_grace_period?: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service & { readonly '<<'?: Service }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const file = loadYaml<ComposeFile>(text);
const { volumes } = file;
/** With the members of merge keys, which the parser does not merge. */
const services: Readonly<Record<string, Service>> = Object.fromEntries(
  Object.entries(file.services).map(([name, { '<<': shared, ...own }]) => [name, { ...shared, ...own }]),
);
const jars = ['cloudjar', 'cloudjar-2'].map((name) => [name, services[name] as Service] as const);

/** Substitutes `${NAME:-default}` and `${NAME:?message}` like Compose. */
function filledIn(value: string, env: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const given = env[name];
    if (given) return given;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

const SECRETS = {
  CLOUDJAR_ADMIN_KEY: 'a-key-of-the-team',
  CLOUDJAR_SECRET_KEY: 'k'.repeat(43),
  POSTGRES_PASSWORD: 'abc123',
};

test('the file has the jar, PostgreSQL and Redis, and a second node for those who ask for it', () => {
  expect(Object.keys(services)).toEqual(['cloudjar', 'cloudjar-2', 'postgres', 'redis']);
  expect(Object.keys(services).filter((name) => services[name]?.profiles)).toEqual(['cloudjar-2']);
});

describe.each(jars)('%s', (_, jar) => {
  const environment = jar.environment ?? {};

  test('is configured by variables of the table of settings, with values that a jar takes', () => {
    const known = Object.values(SETTINGS).map(({ env }) => env);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, filledIn(value, SECRETS)]),
    );
    expect(loadConfig({ env, flags: {}, cwd: '/' })).toMatchObject({
      adminKey: SECRETS.CLOUDJAR_ADMIN_KEY,
      secretKey: SECRETS.CLOUDJAR_SECRET_KEY,
      databaseUrl: 'postgres://cloudjar:abc123@postgres:5432/cloudjar',
      redisUrl: 'redis://redis:6379',
      publicUrl: ['https://cloudjar:7443', 'https://cloudjar-2:7443'],
      clock: 'shifted',
    });
  });

  test.each(Object.keys(SECRETS))('does not start without %s', (name) => {
    const { [name]: _left, ...others } = SECRETS as Record<string, string>;
    expect(() => Object.values(environment).map((value) => filledIn(value, others))).toThrow(name);
  });

  test('writes to its volume and to /tmp only, and has time to end in order', () => {
    expect(jar).toMatchObject({ read_only: true, tmpfs: ['/tmp'], volumes: ['jar-data:/data'] });
    const { shutdownTimeoutMs } = loadConfig({ env: {}, flags: {}, cwd: '/' });
    expect(Number.parseInt(jar.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(shutdownTimeoutMs);
  });

  test('is reached from this machine only', () => {
    expect(jar.ports).not.toEqual([]);
    for (const port of jar.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:(7400|7443|7425)$/);
  });
});

test('every service waits until those that it needs are healthy, and those can say so', () => {
  for (const { depends_on = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect(condition).toBe('service_healthy');
      // The image of the jar has its own health check.
      expect(name === 'cloudjar' || services[name]?.healthcheck?.test[0] === 'CMD').toBe(true);
    }
  }
  expect(Object.keys(services.cloudjar?.depends_on ?? {})).toEqual(['postgres', 'redis']);
});

test('no secret is in the file, and every volume that is used is declared', () => {
  expect(text.match(/(?:KEY|PASSWORD): (?!\$\{\w+:\?)/g)).toBeNull();
  const used = Object.values(services).flatMap(({ volumes: list = [] }) => list.map((each) => each.split(':')[0]));
  expect(new Set(used)).toEqual(new Set(Object.keys(volumes)));
});

test('no two services publish the same port', () => {
  const published = Object.values(services).flatMap(({ ports = [] }) => ports.map((port) => port.split(':')[1]));
  expect(new Set(published).size).toBe(published.length);
});
