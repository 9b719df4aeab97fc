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
/** The real limit is not published. */
export const MOST_TEXTS = 1000;

/** Names of client tags and metadata that the service interprets. */
const [NAME_TAG, PROMPT_TAG, RUN_ENTRY] = ['mlflow.traceName', 'mlflow.linkedPrompts', 'mlflow.sourceRun'];

export type Texts = ReadonlyMap<string, string>;

export function checkText(request: Request, name: string, value: string): void {
  if (name === '') throw request.missing('key');
  checkLength(name, 'key', LONGEST_KEY);
  checkLength(value, 'value', LONGEST_VALUE);
}

/** `[{key, value}]`, the form of version 2 of the API. */
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

/**
 * Called in a transaction that has locked the trace: writes the trace with these tags and this metadata, and the fields derived from them.
 */
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

/** Called in a transaction that has locked the trace; returns false if the tag does not exist. */
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

/** A client may set the entry to any text; a text longer than an id is ignored, and would be too long for an index. */
const runIdIn = (entry: string): string | undefined => (entry.length > LONGEST_RUN_ID ? undefined : entry);

/** `name/version` of the first prompt in the JSON list. A client may set the tag to any text. */
function promptIn(tag: string): string | undefined {
  try {
    const list: unknown = JSON.parse(tag);
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    return isObject(first) ? `${first.name}/${first.version}` : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the change record of an operation on a trace. */
export const recordTrace = (tx: Tx, { clock }: Pick<Jar, 'clock'>, kind: string, trace: Trace): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${trace.workspaceId}/experiments/${trace.experimentId}/traces/${trace.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { state: trace.state },
  });
