import type { Jar } from '../../../kernel/jar-context.ts';
import { allOf, eq } from '../../../kernel/store/filters.ts';
import { isObject } from '../../../kernel/values/objects.ts';
import { isReport } from '../diagnostics/read-report.ts';
import type { AppLog } from '../logs/types.ts';
import { type SymbolUpload, symbolUploads } from './collections.ts';
import { Mapping, type NamedFrame } from './mapping.ts';
import { readUpload, uploadKey } from './store.ts';

/** The logs with the names in their stack traces as they were before, where the app has uploaded what was done to them. */
export async function readable(jar: Jar, appId: string, logs: readonly AppLog[]): Promise<readonly AppLog[]> {
  if (!logs.some(isReport)) return logs;
  return Promise.all(
    logs.map(async (log) => {
      const mapping = isReport(log) ? await mappingFor(jar, appId, log) : undefined;
      return mapping ? { ...log, content: new Retracing(mapping).report(log.content) } : log;
    }),
  );
}

interface Known {
  readonly bytes: number;
  readonly mapping: Promise<Mapping | undefined>;
}

/** Read once; an upload that is there to be used does not change. The newest of them stays, however large. */
const MOST_KNOWN_BYTES = 64 * 1024 * 1024;
const known = new WeakMap<Jar, Map<string, Known>>();

/** The newest one of the same version and build. */
async function mappingFor(jar: Jar, appId: string, { device }: AppLog): Promise<Mapping | undefined> {
  const { appVersion, appBuild } = device;
  if (appVersion === undefined || appBuild === undefined) return undefined;
  const filter = allOf(
    eq('appId', appId),
    eq('type', 'AndroidProguard'),
    eq('state', 'indexed'),
    eq('version', appVersion),
    eq('build', appBuild),
  );
  const order = [{ field: 'createdAt', descending: true }];
  const [upload] = (await jar.store.query(symbolUploads, { filter, order, limit: 1 })).items;
  return upload && mappingOf(jar, upload.value);
}

function mappingOf(jar: Jar, upload: SymbolUpload): Promise<Mapping | undefined> {
  const key = uploadKey(upload);
  let mappings = known.get(jar);
  if (!mappings) {
    mappings = new Map();
    known.set(jar, mappings);
  }
  const found = mappings.get(key);
  if (found) return found.mapping;
  makeRoom(mappings, upload.bytes);
  const mapping = readUpload(jar, upload).then((file) => Mapping.read(file));
  mappings.set(key, { bytes: upload.bytes, mapping });
  mapping.catch(() => mappings.delete(key));
  return mapping;
}

/** Forgets the oldest. */
function makeRoom(mappings: Map<string, Known>, bytes: number): void {
  let inAll = bytes;
  for (const each of mappings.values()) inAll += each.bytes;
  for (const [key, each] of mappings) {
    if (inAll <= MOST_KNOWN_BYTES) return;
    mappings.delete(key);
    inAll -= each.bytes;
  }
}

type Content = AppLog['content'];

/** What nests deeper is left as it is, and so are further frames. */
const DEEPEST = 20;
const MOST_FRAMES = 10_000;

/** Makes the frames of one report readable. */
class Retracing {
  readonly #mapping: Mapping;
  /** Frames that there is still room for. */
  #left = MOST_FRAMES;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  report(content: Content): Content {
    // What went wrong comes first, in case there is no room for all of it.
    const exception = isObject(content.exception) ? this.#exception(content.exception, 0) : undefined;
    const threads = Array.isArray(content.threads)
      ? content.threads.map((thread) => (isObject(thread) ? this.#withFrames(thread) : thread))
      : undefined;
    return { ...content, ...(exception && { exception }), ...(threads && { threads }) };
  }

  #exception(exception: Content, depth: number): Content {
    const { type, innerExceptions } = exception;
    const own = this.#withFrames(exception);
    const inner =
      Array.isArray(innerExceptions) && depth < DEEPEST
        ? innerExceptions.map((each) => (isObject(each) ? this.#exception(each, depth + 1) : each))
        : undefined;
    return {
      ...own,
      ...(typeof type === 'string' && { type: this.#mapping.className(type) }),
      ...(inner && { innerExceptions: inner }),
    };
  }

  #withFrames(owner: Content): Content {
    return Array.isArray(owner.frames)
      ? { ...owner, frames: owner.frames.flatMap((frame) => this.#frames(frame)) }
      : owner;
  }

  #frames(frame: unknown): readonly unknown[] {
    if (!isObject(frame) || this.#left <= 0) return [frame];
    const frames = this.#mapping.frames(frame as NamedFrame);
    this.#left -= frames.length;
    return frames;
  }
}
