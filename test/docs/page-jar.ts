import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { blocksOf, runShell, runTypeScript } from './examples.ts';

type Environment = Readonly<Record<string, string>>;

/** A jar as started by a reader of the docs, with a data folder, for running the examples of pages. */
export class PageJar {
  readonly jar: RunningJar;
  readonly folder: string;

  private constructor(jar: RunningJar, folder: string) {
    this.jar = jar;
    this.folder = folder;
  }

  static async open(): Promise<PageJar> {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-docs-'));
    const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' };
    return new PageJar(await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) }), folder);
  }

  /** Runs shell code in the folder of the jar, and returns its output. */
  shell(code: string, more: Environment = {}): Promise<string> {
    return runShell(addressedTo(this.jar, code), { ...this.#environment(), ...more }, this.folder);
  }

  /** Runs a TypeScript or JavaScript program, and returns its output. */
  typeScript(code: string, more: Environment = {}): Promise<string> {
    return runTypeScript(addressedTo(this.jar, code), { ...this.#environment(), ...more });
  }

  async close(): Promise<void> {
    await this.jar.close();
    await rm(this.folder, { recursive: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #environment(): Record<string, string> {
    const { folder, jar } = this;
    return { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  }
}

/** One page jar for the tests of a file. */
export function withPageJar(): { readonly opened: PageJar } {
  let opened: PageJar;
  beforeAll(async () => {
    opened = await PageJar.open();
  });
  afterAll(() => opened.close());
  return {
    get opened() {
      return opened;
    },
  };
}

/** Code of a page, with the addresses of the page replaced by those of the jar. */
export const addressedTo = (
  { url, httpsUrl }: { readonly url: string; readonly httpsUrl: string },
  code: string,
): string => code.replaceAll('http://127.0.0.1:7400', url).replaceAll('https://localhost:7443', httpsUrl);

/** The code of all blocks of a page that are marked to be run; throws if there is none. */
export async function markedCode(page: string, separator = '\n'): Promise<string> {
  const marked = (await blocksOf(page)).filter((block) => block.marked).map(({ code }) => code);
  expect(marked).not.toEqual([]);
  return marked.join(separator);
}

/** The contents of a page's blocks in these languages. */
export async function shownBy(page: string, ...languages: readonly string[]): Promise<string> {
  const blocks = (await blocksOf(page)).filter(({ language }) => languages.includes(language));
  expect(blocks).not.toEqual([]);
  return blocks.map(({ code }) => code).join('');
}

/** The only TypeScript block of a page. */
export async function typeScriptOf(page: string): Promise<string> {
  const [block, ...more] = (await blocksOf(page)).filter(({ language }) => language === 'ts');
  expect(more).toEqual([]);
  return block?.code ?? '';
}

/** Examples for the vendor's SDKs leave the creation of `credential` to the reader; this defines one with the token. */
export function withCredential(code: string, token: string): string {
  const credential = `const credential = { getToken: async () => ({ token: ${JSON.stringify(token)}, expiresOnTimestamp: Date.now() + 3.6e6 }) };\n`;
  const [imports, ...rest] = code.split('\n\n');
  return `${imports}\n${credential}${rest.join('\n\n')}`;
}

/** Skips a test of shell examples if curl is missing. */
export function needCurl(skip: TestContext['skip']): void {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
}
