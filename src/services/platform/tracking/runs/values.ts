import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { type RunText, runParams, runTags, type TrackedRun, valueKey } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { knownTexts } from '../known-texts.ts';
import { checkName, cut, LONGEST_PARAM, LONGEST_RUN_TAG } from '../names.ts';
import type { Request } from '../request.ts';

/** Parameters and tags of runs: named texts. */

export interface SentText {
  readonly name: string;
  readonly value: string;
}

export function readParam(request: Request): SentText {
  const name = request.need('key');
  checkName(name, request.path('key'), 'Param key');
  return { name, value: cut(request.text('value') ?? '', LONGEST_PARAM) };
}

export function readTag(request: Request): SentText {
  const name = request.need('key');
  checkName(name, request.path('key'), 'key');
  return { name, value: cut(request.text('value') ?? '', LONGEST_RUN_TAG) };
}

/** The name of a run is also a tag. The service sets it itself, so it does not count towards the limit. */
export const RUN_NAME_TAG = 'mlflow.runName';

const countedOf = (names: Iterable<string>): number => [...names].filter((name) => name !== RUN_NAME_TAG).length;

type CountingJar = Pick<PlatformJar, 'limits'>;

const textOf = (
  { workspaceId, experimentId, id: runId, startTime }: TrackedRun,
  { name, value }: SentText,
): RunText => ({
  workspaceId,
  experimentId,
  runId,
  startTime,
  name,
  value,
});

const keyed = (run: TrackedRun, texts: Iterable<SentText>): (readonly [string, RunText])[] =>
  Array.from(texts, (sent) => [valueKey(run.workspaceId, run.id, sent.name), textOf(run, sent)]);

const keysOf = ({ workspaceId, id }: TrackedRun, texts: Iterable<SentText>): readonly string[] =>
  Array.from(texts, ({ name }) => valueKey(workspaceId, id, name));

/** Maximum number of names in an error message. */
const MOST_NAMED = 10;

/** Each parameter may occur once in a request. */
export function checkDuplicates(params: readonly SentText[]): void {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of params) (seen.has(name) ? twice : seen).add(name);
  if (twice.size === 0) return;
  const names = [...twice].slice(0, MOST_NAMED).map((name) => `'${name}'`);
  throw trackingErrors.INVALID_PARAMETER_VALUE__DuplicateParams({ names: names.join(', ') });
}

/** Called in a transaction that has locked the run. A parameter cannot change its value; logging the same value again does nothing. */
export async function addParams(tx: Tx, jar: CountingJar, run: TrackedRun, params: readonly SentText[]): Promise<void> {
  if (params.length === 0) return;
  const before = await knownTexts(tx, runParams, keysOf(run, params));
  for (const { name, value } of params) {
    const there = before.get(name);
    if (there !== undefined && there !== value)
      throw trackingErrors.INVALID_PARAMETER_VALUE__ChangedParam({ name, before: there, id: run.id, value });
  }
  const fresh = params.filter(({ name }) => !before.has(name));
  if (fresh.length === 0) return;
  await takeCount(tx, jar, { row: 'run-parameters', scope: [run.workspaceId, run.id], count: fresh.length });
  await tx.putAll(runParams, keyed(run, fresh));
}

/** Called in a transaction that has locked the run. If a tag occurs several times, the last value applies. */
export async function putTags(tx: Tx, jar: CountingJar, run: TrackedRun, tags: readonly SentText[]): Promise<void> {
  if (tags.length === 0) return;
  const last = new Map(tags.map((tag) => [tag.name, tag]));
  const before = await knownTexts(tx, runTags, keysOf(run, last.values()));
  const count = countedOf([...last.keys()].filter((name) => !before.has(name)));
  if (count > 0) await takeCount(tx, jar, { row: 'run-tags', scope: [run.workspaceId, run.id], count });
  await tx.putAll(runTags, keyed(run, last.values()));
}

/** Called in a transaction that has locked the run. */
export async function removeTag(tx: Tx, jar: CountingJar, run: TrackedRun, name: string): Promise<void> {
  if (!(await tx.delete(runTags, valueKey(run.workspaceId, run.id, name))))
    throw trackingErrors.RESOURCE_DOES_NOT_EXIST__RunTag({ name: name.slice(0, 300), id: run.id });
  if (name !== RUN_NAME_TAG) await freeCount(tx, jar, { row: 'run-tags', scope: [run.workspaceId, run.id] });
}

/** The run name in these tags, if any. */
export const nameIn = (tags: readonly SentText[]): string | undefined =>
  tags.findLast(({ name }) => name === RUN_NAME_TAG)?.value;
