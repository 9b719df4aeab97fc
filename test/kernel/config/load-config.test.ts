import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/kernel/config/config.ts';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cloudjar-config-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function writeFile(content: unknown, name = 'cloudjar.config.json'): string {
  const path = join(cwd, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function refusal(sources: Omit<Parameters<typeof loadConfig>[0], 'cwd'>): string {
  try {
    loadConfig({ ...sources, cwd });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain('\n');
    return message.replaceAll(`${cwd}/`, '');
  }
  throw new Error('the configuration was accepted');
}

describe('configuration', () => {
  it('has the defaults of the contract when nothing is given', () => {
    expect(loadConfig({ cwd })).toEqual({
      port: 7400,
      httpsPort: 7443,
      host: '127.0.0.1',
      publicUrl: [],
      data: join(cwd, '.cloudjar'),
      memory: false,
      databaseUrl: undefined,
      databaseTimeoutMs: 5000,
      databaseQueue: 1000,
      shutdownTimeoutMs: 20_000,
      redisUrl: undefined,
      redisTimeoutMs: 2000,
      redisFailure: 'count',
      clock: 'shifted',
      clockStart: undefined,
      strictTokenExpiry: false,
      engine: 'auto',
      namespace: ['Microsoft'],
      spokenPrefix: 'Vendor',
      allowHttpLoopback: false,
      smtpPort: 7425,
      dnsPort: undefined,
      adminKey: undefined,
      seed: undefined,
      changeRetentionDays: 7,
      changeRetentionCount: 100_000,
      largeBodyMegabytes: 256,
      largeBodies: 64,
      logLevel: 'info',
      logFormat: 'auto',
      config: undefined,
      services: {},
    });
  });

  it('takes a flag over the environment, the environment over the file and the file over the default', () => {
    writeFile({ port: 1, httpsPort: 1001, smtpPort: 1002 });
    const env = { CLOUDJAR_PORT: '2', CLOUDJAR_HTTPS_PORT: '2001' };
    const { port, httpsPort, smtpPort, host } = loadConfig({ flags: { port: '3' }, env, cwd });
    expect({ port, httpsPort, smtpPort, host }).toEqual({
      port: 3,
      httpsPort: 2001,
      smtpPort: 1002,
      host: '127.0.0.1',
    });
  });

  it('reads every kind of value from the environment', () => {
    const env = {
      CLOUDJAR_MEMORY: '1',
      CLOUDJAR_ALLOW_HTTP_LOOPBACK: 'false',
      CLOUDJAR_NAMESPACE: 'Microsoft, Contoso.Cloud',
      CLOUDJAR_CLOCK: 'virtual',
      CLOUDJAR_CLOCK_START: '2026-01-31T09:00:00+01:00',
      CLOUDJAR_ADMIN_KEY: 'secret-admin-key',
      CLOUDJAR_HOST: '::1',
      CLOUDJAR_SEED: 'seed.json',
      CLOUDJAR_REDIS_URL: 'rediss://cache:6380',
    };
    expect(loadConfig({ env, cwd })).toMatchObject({
      memory: true,
      allowHttpLoopback: false,
      namespace: ['Microsoft', 'Contoso.Cloud'],
      clockStart: Date.UTC(2026, 0, 31, 8),
      adminKey: 'secret-admin-key',
      host: '::1',
      seed: join(cwd, 'seed.json'),
      redisUrl: 'rediss://cache:6380',
    });
  });

  it('treats an empty variable as not set', () => {
    expect(loadConfig({ env: { CLOUDJAR_PORT: '', CLOUDJAR_DATABASE_URL: '' }, cwd }).port).toBe(7400);
  });

  it('takes values from code as they are', () => {
    const flags = { port: 0, memory: true, namespace: ['A', 'B'], logLevel: 'silent' };
    expect(loadConfig({ flags, cwd })).toMatchObject(flags);
  });

  it('reads a time without a zone as UTC, whatever the zone of the machine', () => {
    const flags = { clock: 'virtual', clockStart: '2026-01-31T09:00' };
    expect(loadConfig({ flags, cwd }).clockStart).toBe(Date.UTC(2026, 0, 31, 9));
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(loadConfig({ cwd }))).toBe(true);
  });
});

describe('the configuration file', () => {
  it('is found in the working folder and named in the result', () => {
    const path = writeFile({ $schema: './schema.json', clock: 'system' });
    expect(loadConfig({ cwd })).toMatchObject({ clock: 'system', config: path });
  });

  it('may begin with a byte order mark', () => {
    writeFile('\uFEFF{"port": 81}');
    expect(loadConfig({ cwd }).port).toBe(81);
  });

  it('can be elsewhere, and its relative paths start at its own folder', () => {
    const path = writeFile({ data: 'state' }, 'other.json');
    expect(loadConfig({ flags: { config: path }, cwd: '/' }).data).toBe(join(cwd, 'state'));
    expect(loadConfig({ env: { CLOUDJAR_CONFIG: 'other.json' }, cwd }).config).toBe(path);
  });

  it('passes the settings of single services through', () => {
    writeFile({ services: { mail: { domain: 'vendor.example' } } });
    expect(loadConfig({ cwd }).services).toEqual({ mail: { domain: 'vendor.example' } });
  });

  it.each([
    [{ prot: 1 }, 'cloudjar.config.json: unknown key "prot" (did you mean port?)'],
    [{ 'https-port': 1 }, 'cloudjar.config.json: unknown key "https-port" (did you mean httpsPort?)'],
    [{ CLOUDJAR_SMTP_PORT: 1 }, 'cloudjar.config.json: unknown key "CLOUDJAR_SMTP_PORT" (did you mean smtpPort?)'],
    [{ colour: 'red' }, 'cloudjar.config.json: unknown key "colour"'],
    [{ adminKey: 'secret-key' }, 'cloudjar.config.json: adminKey cannot be set in the file, use CLOUDJAR_ADMIN_KEY'],
    [{ config: 'x' }, 'cloudjar.config.json: config cannot be set in the file, use CLOUDJAR_CONFIG or --config'],
    [{ port: '7400' }, 'port in cloudjar.config.json must be a port number from 0 to 65535, not "7400"'],
    [{ memory: 'yes' }, 'memory in cloudjar.config.json must be true or false, not "yes"'],
    [{ port: null }, 'port in cloudjar.config.json must be a port number from 0 to 65535, not null'],
    [{ services: [] }, 'services in cloudjar.config.json must be an object, not []'],
    [{ services: { mail: 1 } }, 'services.mail in cloudjar.config.json must be an object, not 1'],
    ['[]', 'cloudjar.config.json must contain a single JSON object'],
    ['', 'cloudjar.config.json:1:1: expected a value'],
    ['{\n  "port": 1,\n}', 'cloudjar.config.json:3:1: expected a name in double quotes'],
    ['{"port" 1}', 'cloudjar.config.json:1:9: expected a colon'],
    ['{"port": 1 "host": "a"}', 'cloudjar.config.json:1:12: expected a comma or }'],
  ])('with %j is refused', (content, message) => {
    writeFile(content);
    expect(refusal({})).toBe(message);
  });

  it('is refused when it is named but missing or unreadable', () => {
    expect(refusal({ flags: { config: 'gone.json' } })).toBe('--config names gone.json, but the file does not exist');
    expect(refusal({ env: { CLOUDJAR_CONFIG: '.' } })).toMatch(
      /^CLOUDJAR_CONFIG names .*, but it cannot be read \(EISDIR\)$/,
    );
  });
});

describe('a wrong value', () => {
  it.each([
    [{ port: 'banana' }, '--port must be a port number from 0 to 65535, not "banana"'],
    [{ port: '65536' }, '--port must be a port number from 0 to 65535, not "65536"'],
    [{ port: '-1' }, '--port must be a port number from 0 to 65535, not "-1"'],
    [{ port: 1.5 }, '--port must be a port number from 0 to 65535, not 1.5'],
    [{ clock: 'virtul' }, '--clock must be shifted, virtual or system, not "virtul" (did you mean virtual?)'],
    [{ engine: 'podman' }, '--engine must be auto, docker, kubernetes or simulated, not "podman"'],
    [{ host: 'http://a' }, '--host must be a host name or an IP address, not "http://a"'],
    [{ data: '' }, '--data must be a path, not ""'],
    [
      { namespace: ['Good', 'not/good'] },
      '--namespace must be a list; each item must be a provider prefix of letters, digits and dots, not ["Good","not/good"]',
    ],
    [
      { clockStart: '2026-02-30' },
      '--clock-start must be an ISO 8601 time such as 2026-01-31T09:00:00Z, not "2026-02-30"',
    ],
    [{ clockStart: 'tomorrow' }, '--clock-start must be an ISO 8601 time such as 2026-01-31T09:00:00Z, not "tomorrow"'],
  ])('%j is refused', (flags, message) => {
    expect(refusal({ flags })).toBe(message);
  });

  it('of the environment is named by its variable', () => {
    const message = refusal({ env: { CLOUDJAR_PORT: 'tcp://10.0.0.1:7400' } });
    expect(message).toBe('CLOUDJAR_PORT must be a port number from 0 to 65535, not "tcp://10.0.0.1:7400"');
  });

  it('that is secret is not repeated', () => {
    expect(refusal({ flags: { databaseUrl: 'mysql://me:hunter2@db/x' } })).toBe(
      '--database-url must be an address that begins with postgres:// or postgresql://',
    );
    expect(refusal({ env: { CLOUDJAR_ADMIN_KEY: 'hunter2 with spaces' } })).not.toContain('hunter2');
  });

  it('is shown on one short line, however long it is', () => {
    expect(refusal({ flags: { port: 'x\n'.repeat(5000) } }).length).toBeLessThan(160);
  });
});

describe('settings that contradict each other', () => {
  it('memory excludes a database, whatever their sources', () => {
    const databaseUrl = 'postgres://localhost/jar';
    expect(refusal({ flags: { memory: true, databaseUrl } })).toBe(
      '--memory and --database-url exclude each other: choose one store',
    );
    writeFile({ databaseUrl });
    expect(refusal({ env: { CLOUDJAR_MEMORY: 'true' } })).toBe(
      'CLOUDJAR_MEMORY and databaseUrl in cloudjar.config.json exclude each other: choose one store',
    );
  });

  it('a start of the clock needs the virtual clock', () => {
    expect(refusal({ flags: { clockStart: '2026-01-01' } })).toBe(
      '--clock-start needs the virtual clock, but the clock is shifted',
    );
  });

  it('two servers cannot have one port, but may both take a free one', () => {
    expect(refusal({ flags: { port: '7443' } })).toBe(
      'port and httpsPort are both 7443: each server needs its own port',
    );
    expect(loadConfig({ flags: { port: 0, httpsPort: 0, smtpPort: 0 }, cwd }).httpsPort).toBe(0);
  });
});
