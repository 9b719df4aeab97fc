import type { Jar } from '../../../kernel/jar-context.ts';
import { readFile } from '../diagnostics/files.ts';
import { all, eq } from '../diagnostics/query.ts';
import { isReport } from '../diagnostics/read-report.ts';
import type { AppLog } from '../logs/types.ts';
import { symbolUploads } from './collections.ts';
import { Mapping, type NamedFrame } from './mapping.ts';
import { uploadKey } from './store.ts';

/** The logs with the names in their stack traces as they were before, where the app has uploaded what was done to them. */
export async function readable(jar: Jar, appId: string, logs: readonly AppLog[]): Promise<readonly AppLog[]> {
  if (!logs.some(isReport)) return logs;
  return Promise.all(
    logs.map(async (log) => {
      const mapping = isReport(log) ? await mappingFor(jar, appId, log) : undefined;
      return mapping ? { ...log, content: retraced(log.content, mapping) } : log;
    }),
  );
}

/** Read once; an upload that is there to be used does not change. */
const MOST_KNOWN = 8;
const known = new WeakMap<Jar, Map<string, Promise<Mapping | undefined>>>();

/** The newest one of the same version and build. */
async function mappingFor(jar: Jar, appId: string, { device }: AppLog): Promise<Mapping | undefined> {
  const { appVersion, appBuild } = device;
  if (appVersion === undefined || appBuild === undefined) return undefined;
  const filter = all(
    eq('appId', appId),
    eq('type', 'AndroidProguard'),
    eq('state', 'indexed'),
    eq('version', appVersion),
    eq('build', appBuild),
  );
  const order = [{ field: 'createdAt', descending: true }];
  const [upload] = (await jar.store.query(symbolUploads, { filter, order, limit: 1 })).items;
  return upload && mappingOf(jar, uploadKey(upload.value));
}

function mappingOf(jar: Jar, key: string): Promise<Mapping | undefined> {
  let mappings = known.get(jar);
  if (!mappings) {
    mappings = new Map();
    known.set(jar, mappings);
  }
  const found = mappings.get(key);
  if (found) return found;
  if (mappings.size >= MOST_KNOWN) mappings.delete(mappings.keys().next().value as string);
  const reading = readFile(jar.store, key).then((bytes) => Mapping.read(bytes.toString('utf8')));
  mappings.set(key, reading);
  reading.catch(() => mappings.delete(key));
  return reading;
}

type Content = AppLog['content'];

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What nests deeper is left as it is. */
const DEEPEST = 20;

function retraced(content: Content, mapping: Mapping): Content {
  const threads = Array.isArray(content.threads)
    ? content.threads.map((thread) => (isObject(thread) ? withFrames(thread, mapping) : thread))
    : undefined;
  return {
    ...content,
    ...(isObject(content.exception) && { exception: retracedException(content.exception, mapping, 0) }),
    ...(threads && { threads }),
  };
}

function retracedException(exception: Content, mapping: Mapping, depth: number): Content {
  const { type, innerExceptions } = exception;
  const inner =
    Array.isArray(innerExceptions) && depth < DEEPEST
      ? innerExceptions.map((each) => (isObject(each) ? retracedException(each, mapping, depth + 1) : each))
      : undefined;
  return {
    ...withFrames(exception, mapping),
    ...(typeof type === 'string' && { type: mapping.className(type) }),
    ...(inner && { innerExceptions: inner }),
  };
}

function withFrames(owner: Content, mapping: Mapping): Content {
  if (!Array.isArray(owner.frames)) return owner;
  const frames = owner.frames.flatMap((frame) => (isObject(frame) ? mapping.frames(frame as NamedFrame) : [frame]));
  return { ...owner, frames };
}
