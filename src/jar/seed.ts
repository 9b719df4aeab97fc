import { open, readFile } from 'node:fs/promises';
import { directorySeed } from '../kernel/auth/seed.ts';
import { ConfigError } from '../kernel/config/config.ts';
import type { Jar } from '../kernel/service/jar.ts';
import type { ApplySeed, SeedSection, Service } from '../kernel/service/service.ts';
import type { Tx } from '../kernel/store/types.ts';
import { findMistake } from '../kernel/values/find-mistake.ts';
import { isObject } from '../kernel/values/objects.ts';

/** The initial state of an empty jar: the defaults of the kernel and of each service, or the content of a seed file. */
export interface Seed {
  readonly sections: readonly string[];
  /** Prepares these sections before the transaction that applies all or some of them. */
  prepare(names: readonly string[]): Promise<PreparedSeed>;
  /** Path of the snapshot file, if the seed is one. The sections are then applied only for services that are newer than the file. */
  readonly snapshot: string | undefined;
}

export type PreparedSeed = (tx: Tx, names: readonly string[], jar: Jar, now: number) => Promise<void>;

/** A seed file is an object of sections: `directory` for tenants, users and applications, and one section per service. */
export async function loadSeed(services: readonly Service[], file: string | undefined): Promise<Seed> {
  const sections = new Map<string, SeedSection>([['directory', directorySeed]]);
  for (const service of services) if (service.seed) sections.set(service.name, service.seed);
  const isSnapshot = file !== undefined && (await isPacked(file));
  const given = file === undefined || isSnapshot ? {} : await readSeedFile(file, sections);
  return {
    snapshot: isSnapshot ? file : undefined,
    sections: [...sections.keys()],
    async prepare(names) {
      const prepared = new Map<string, ApplySeed>();
      for (const [name, section] of sections) {
        if (names.includes(name)) prepared.set(name, await section.prepare(given[name] ?? section.defaults));
      }
      return async (tx, wanted, jar, now) => {
        for (const [name, apply] of prepared) if (wanted.includes(name)) await apply(tx, jar, now);
      };
    },
  };
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Snapshot files are gzip, which JSON never looks like. */
async function isPacked(file: string): Promise<boolean> {
  try {
    await using opened = await open(file);
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return bytesRead === GZIP.length && buffer.equals(GZIP);
  } catch (cause) {
    throw new ConfigError(`seed file ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

async function readSeedFile(
  file: string,
  sections: ReadonlyMap<string, SeedSection>,
): Promise<Record<string, unknown>> {
  const seed = await readJson(file);
  for (const [name, value] of Object.entries(seed)) {
    const section = sections.get(name);
    if (!section)
      throw new ConfigError(
        `seed file ${file}: unknown section '${name}'; there are ${[...sections.keys()].join(', ')}`,
      );
    const mistake = await findMistake(section.schema, value);
    if (mistake)
      throw new ConfigError(`seed file ${file}: ${[name, mistake.field].filter(Boolean).join('.')} ${mistake.reason}`);
  }
  return seed;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`seed file ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new ConfigError(`seed file ${file} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  throw new ConfigError(`seed file ${file} must contain a JSON object of sections`);
}
