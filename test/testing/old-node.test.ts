import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as client from '../../src/client/index.ts';
import * as source from '../../src/testing/index.ts';
import { startJar } from '../../src/testing/index.ts';
import { oldNode } from '../package/old-node.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LOADERS = {
  import: (name: string) => `await import('${name}')`,
  require: (name: string) => `require('${name}')`,
};
type Format = keyof typeof LOADERS;
const FORMATS: Format[] = ['import', 'require'];

/** The output of a program that loads an entry of the package by its name, on a Node that reports `version`. */
async function loadOn(version: string, format: Format, name: string): Promise<string> {
  const program = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    (async () => {
      try { console.log(Object.keys(${LOADERS[format](name)}).sort().join()); } catch (error) { console.log(error.message); }
    })();`;
  const type = format === 'import' ? 'module' : 'commonjs';
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '-e', program], {
    cwd: ROOT,
  });
  return stdout.trim();
}

const exportsOf = (module: object): string => Object.keys(module).toSorted().join();

describe.each(FORMATS)('by %s', (format) => {
  test('on an older Node cloudjar/testing says which one it needs', async () => {
    for (const version of ['20.19.2', '23.11.0', '24.10.0']) {
      expect(await loadOn(version, format, 'cloudjar/testing')).toBe(
        `cloudjar/testing needs Node 24.11 or newer (this is ${version}): run your tests with it, for example with npx -p node@24 npm test`,
      );
    }
  });

  test('on a Node that is new enough the entries have all that the sources export', async () => {
    for (const version of ['24.11.0', '25.0.0'])
      expect(await loadOn(version, format, 'cloudjar/testing')).toBe(exportsOf(source));
    expect(await loadOn('20.19.2', format, 'cloudjar/client')).toBe(exportsOf(client));
  });
});

describe.each(FORMATS)('by %s, on a Node 20', (format) => {
  test('cloudjar/client drives a jar of another process, and cloudjar/testing says what it needs', async () => {
    await using jar = await startJar();
    const program = `(async () => {
      const { connectJar } = ${LOADERS[format]('cloudjar/client')};
      const jar = connectJar.fromEnv();
      await fetch(jar.inbox('orders').url, { method: 'POST', body: '7' });
      await jar.clock.advance('1h');
      console.log((await jar.inbox('orders').next()).json(), (await jar.clock.now()).toISOString());
      try { ${LOADERS[format]('cloudjar/testing')} } catch (error) { console.log(error.message) }
    })();`;
    const type = format === 'import' ? 'module' : 'commonjs';
    const { PATH = '' } = process.env;
    const args = [`--input-type=${type}`, '-e', program];
    const { stdout } = await promisify(execFile)(await oldNode(), args, { cwd: ROOT, env: { PATH, ...jar.env() } });
    const [shown, refused] = stdout.trim().split('\n');
    expect(shown).toBe(`7 ${jar.clock.now().toISOString()}`);
    expect(refused).toMatch(/^cloudjar\/testing needs Node 24.11 or newer \(this is 20\./);
  });
});

test('an error of one entry is an error of all', () => {
  const require = createRequire(import.meta.url);
  const entries = ['testing.cjs', 'client.cjs'].map((name) => require(`${ROOT}dist/${name}`) as typeof client);
  const error = new client.JarError('no', { code: 'No' });
  for (const { JarError } of entries) expect(error).toBeInstanceOf(JarError);
  expect(new Error('no')).not.toBeInstanceOf(client.JarError);
});
