import { allOf, eq } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { isReport } from '../diagnostics/read-report.ts';
import type { LifecycleJar } from '../jar.ts';
import type { AppLog } from '../logs/types.ts';
import { symbolUploads } from './collections.ts';
import type { Mapping, NamedFrame } from './mapping.ts';

type RetracingJar = Pick<LifecycleJar, 'store' | 'mappings'>;

/** The logs with original names in their stack traces, if the app has uploaded a mapping. */
export async function readable(jar: RetracingJar, appId: string, logs: readonly AppLog[]): Promise<readonly AppLog[]> {
  if (!logs.some(isReport)) return logs;
  return Promise.all(
    logs.map(async (log) => {
      const mapping = isReport(log) ? await mappingFor(jar, appId, log) : undefined;
      return mapping ? { ...log, content: new Retracing(mapping).report(log.content) } : log;
    }),
  );
}

/** The newest mapping for the log's version and build. */
async function mappingFor(jar: RetracingJar, appId: string, { device }: AppLog): Promise<Mapping | undefined> {
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
  return upload && jar.mappings.of(upload.value);
}

type Content = AppLog['content'];

/** Deeper nesting and further frames are left unchanged. */
const DEEPEST = 20;
const MOST_FRAMES = 10_000;

/** Retraces the frames of one report. */
class Retracing {
  readonly #mapping: Mapping;
  /** Remaining number of frames to retrace. */
  #left = MOST_FRAMES;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  report(content: Content): Content {
    // The exception comes first, in case the limit does not cover all frames.
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
