import type { Jar } from '../../../../kernel/service/index.ts';
import type { Collection, Tx } from '../../../../kernel/store/index.ts';
import { isObject, omitAbsent } from '../../../../kernel/values/index.ts';
import { knownTexts } from '../known-texts.ts';
import { checkLength } from '../names.ts';
import type { Request } from '../request.ts';
import { type Trace, type TraceText, traceKey, traceMetadata, traces, traceTags } from './collections.ts';
import { traceErrors } from './errors.ts';

/** Tags and metadata of traces. */

const LONGEST_KEY = 250;
const LONGEST_VALUE = 8000;
const LONGEST_RUN_ID = 256;
/** No published number. */
export const MOST_TEXTS = 1000;

/** What the service itself reads: names of tags and of metadata that clients set. */
const [NAME_TAG, PROMPT_TAG, RUN_ENTRY] = ['mlflow.traceName', 'mlflow.linkedPrompts', 'mlflow.sourceRun'];

export type Texts = ReadonlyMap<string, string>;

export function checkText(request: Request, name: string, value: string): void {
  if (name === '') throw request.missing('key');
  checkLength(name, 'key', LONGEST_KEY);
  checkLength(value, 'value', LONGEST_VALUE);
}

/** `[{key, value}]`, as version 2 of the API has them. */
export function readTexts(request: Request, field: string): Texts {
  const list = request.list(field);
  if (list.length > MOST_TEXTS) throw request.invalid(field, list.length, `It has at most ${MOST_TEXTS} entries.`);
  return new Map(
    list.map((each) => {
      const [name, value] = [each.need('key'), each.text('value') ?? ''];
      checkText(each, name, value);
      return [name, value];
    }),
  );
}

const keyOf = (trace: Trace, name: string): string => `${traceKey(trace.workspaceId, trace.id)}/${name}`;

/** In a transaction that holds the trace: writes it with what these tags and this metadata say of it. */
export async function putTexts(tx: Tx, trace: Trace, tags: Texts, metadata: Texts): Promise<Trace> {
  const changed = omitAbsent({
    ...trace,
    name: tags.get(NAME_TAG) ?? trace.name,
    prompt: tags.has(PROMPT_TAG) ? promptIn(tags.get(PROMPT_TAG)!) : trace.prompt,
    runId: metadata.has(RUN_ENTRY) ? runIdIn(metadata.get(RUN_ENTRY)!) : trace.runId,
  });
  await tx.put(traces, traceKey(trace.workspaceId, trace.id), changed);
  await put(tx, traceTags, changed, tags);
  await put(tx, traceMetadata, changed, metadata);
  return changed;
}

async function put(tx: Tx, into: Collection<TraceText>, trace: Trace, texts: Texts): Promise<void> {
  if (texts.size === 0) return;
  const { workspaceId, experimentId, id: traceId, startedAt } = trace;
  const of = { workspaceId, experimentId, traceId, startedAt };
  const keyed = Array.from(texts, ([name, value]) => [keyOf(trace, name), { ...of, name, value }] as const);
  const there = await tx.count(into, { prefix: keyOf(trace, '') });
  const known = await knownTexts(
    tx,
    into,
    keyed.map(([key]) => key),
  );
  if (there + texts.size - known.size > MOST_TEXTS)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `A trace has at most ${MOST_TEXTS} ${into === traceTags ? 'tags' : 'entries of metadata'}.`,
    });
  await tx.putAll(into, keyed);
}

/** In such a transaction; false where there is no such tag. */
export async function removeTag(tx: Tx, trace: Trace, name: string): Promise<boolean> {
  if (!(await tx.delete(traceTags, keyOf(trace, name)))) return false;
  const { name: traceName, prompt, ...rest } = trace;
  const left = omitAbsent({
    ...rest,
    name: name === NAME_TAG ? undefined : traceName,
    prompt: name === PROMPT_TAG ? undefined : prompt,
  });
  await tx.put(traces, traceKey(trace.workspaceId, trace.id), left);
  return true;
}

/** A client may set the entry to anything; what is longer than ids can be is none, and too long for an index. */
const runIdIn = (entry: string): string | undefined => (entry.length > LONGEST_RUN_ID ? undefined : entry);

/** `name/version` of the first prompt of the list in JSON. A client may set the tag to anything. */
function promptIn(tag: string): string | undefined {
  try {
    const list: unknown = JSON.parse(tag);
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    return isObject(first) ? `${first.name}/${first.version}` : undefined;
  } catch {
    return undefined;
  }
}

/** The change record of something that was done to a trace. */
export const recordTrace = (tx: Tx, { clock }: Pick<Jar, 'clock'>, kind: string, trace: Trace): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${trace.workspaceId}/experiments/${trace.experimentId}/traces/${trace.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { state: trace.state },
  });
