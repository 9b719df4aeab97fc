import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { blocksOf, runShell, runTypeScript } from './examples.ts';

type Environment = Readonly<Record<string, string>>;

/** A jar like the one that a reader of the docs has started, with its data in a folder, to run the examples of pages with. */
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

  /** Runs shell in the folder of the jar, and gives what it prints. */
  shell(code: string, more: Environment = {}): Promise<string> {
    return runShell(addressedTo(this.jar, code), { ...this.#environment(), ...more }, this.folder);
  }

  /** Runs a program, in TypeScript or JavaScript, and gives what it prints. */
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

/** One for the tests of a file. */
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

/** Code of a page, with the addresses that pages show made those of a jar. */
export const addressedTo = (
  { url, httpsUrl }: { readonly url: string; readonly httpsUrl: string },
  code: string,
): string => code.replaceAll('http://127.0.0.1:7400', url).replaceAll('https://localhost:7443', httpsUrl);

/** The code of all blocks of a page that are marked to be run, of which there is at least one. */
export async function markedCode(page: string, separator = '\n'): Promise<string> {
  const marked = (await blocksOf(page)).filter((block) => block.marked).map(({ code }) => code);
  expect(marked).not.toEqual([]);
  return marked.join(separator);
}

/** What the blocks of a page in these languages show. */
export async function shownBy(page: string, ...languages: readonly string[]): Promise<string> {
  const blocks = (await blocksOf(page)).filter(({ language }) => languages.includes(language));
  expect(blocks).not.toEqual([]);
  return blocks.map(({ code }) => code).join('');
}

/** The TypeScript of a page, of which there is one block. */
export async function typeScriptOf(page: string): Promise<string> {
  const [block, ...more] = (await blocksOf(page)).filter(({ language }) => language === 'ts');
  expect(more).toEqual([]);
  return block?.code ?? '';
}

/** Examples for the vendor's SDKs leave it to the reader where `credential` comes from: here it is one with this token. */
export function withCredential(code: string, token: string): string {
  const credential = `const credential = { getToken: async () => ({ token: ${JSON.stringify(token)}, expiresOnTimestamp: Date.now() + 3.6e6 }) };\n`;
  const [imports, ...rest] = code.split('\n\n');
  return `${imports}\n${credential}${rest.join('\n\n')}`;
}

/** Examples for a shell use it. */
export function needCurl(skip: TestContext['skip']): void {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
}
