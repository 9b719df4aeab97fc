import { Type } from 'typebox';
import { didYouMean } from '../config/did-you-mean.ts';
import { findMistake } from '../values/find-mistake.ts';
import type { LimitEngine } from './engine.ts';
import { limitErrors } from './errors.ts';
import type { LimitChange } from './overrides.ts';
import { type Limit, numbersOf } from './table.ts';

export const MODES = ['enforced', 'shadow', 'unlimited'] as const;

const MOST_AT_ONCE = 1000;
const LONGEST_VALUE = 4096;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

const count = () => orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

/** One change to one limit. Null resets a number or the mode to the table's value. */
export const LimitChangeSchema = Type.Object(
  {
    name: Type.String(),
    scope: Type.Optional(orNull(Type.Record(Type.String(), Type.String({ maxLength: LONGEST_VALUE })))),
    limit: Type.Optional(count()),
    size: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 1e15 }))),
    refillPerSecond: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 1e12 }))),
    windowMs: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 10 * 366 * 86_400_000 }))),
    mode: Type.Optional(orNull(Type.Enum([...MODES]))),
  },
  { additionalProperties: false },
);

const NUMBERS = ['limit', 'size', 'refillPerSecond', 'windowMs'] as const;

/** Validates all changes before any of them is applied. */
export async function checkChanges(
  engine: LimitEngine,
  changes: readonly unknown[],
  many: boolean,
): Promise<LimitChange[]> {
  if (changes.length === 0 || changes.length > MOST_AT_ONCE) {
    throw limitErrors.InvalidLimitChange({ reason: `A list must have 1 to ${MOST_AT_ONCE} changes.` });
  }
  const checked: LimitChange[] = [];
  for (const [index, change] of changes.entries()) {
    const at = many ? `${index}.` : '';
    checked.push(await checkChange(engine, change, at));
  }
  return checked;
}

async function checkChange(engine: LimitEngine, given: unknown, at: string): Promise<LimitChange> {
  const mistake = await findMistake(LimitChangeSchema, given);
  if (mistake) {
    const field = mistake.field === '' ? at.slice(0, -1) : at + mistake.field;
    const reason = field === '' ? `The change ${mistake.reason}.` : `'${field}' ${mistake.reason}.`;
    throw limitErrors.InvalidLimitChange({ reason }, { target: field || undefined });
  }
  const change = given as LimitChange;
  const limit = findLimit(engine, change.name, `${at}name`);
  checkScope(limit, Object.keys(change.scope ?? {}), `${at}scope`);
  const own = numbersOf(limit);
  const foreign = NUMBERS.find((field) => change[field] !== undefined && !Object.hasOwn(own, field));
  if (foreign !== undefined) {
    const names = [...Object.keys(own), 'mode'].join(', ');
    const reason = `'${at}${foreign}' cannot be set: '${limit.name}' is a ${limit.kind}, which has ${names}.`;
    throw limitErrors.InvalidLimitChange({ reason }, { target: at + foreign });
  }
  if (change.mode === undefined && NUMBERS.every((field) => change[field] === undefined)) {
    const reason = `The change to '${limit.name}' has no values: give ${[...Object.keys(own), 'mode'].join(' or ')}.`;
    throw limitErrors.InvalidLimitChange({ reason }, { target: at === '' ? undefined : at.slice(0, -1) });
  }
  return change;
}

export function findLimit(engine: LimitEngine, name: string, target: string): Limit {
  const found = engine.table.get(name);
  if (found) return found.limit;
  const near = didYouMean(name, [...engine.table.keys()]);
  const hint = near === undefined ? 'GET /_jar/limits lists them.' : `did you mean '${near}'?`;
  throw limitErrors.UnknownLimit({ name: name.slice(0, 200), hint }, { target });
}

export function checkScope(limit: Limit, parts: readonly string[], target: string): void {
  const part = parts.find((each) => !limit.scope.includes(each));
  if (part === undefined) return;
  const known =
    limit.scope.length === 0 ? 'it has one count for the whole jar' : `its scope is ${limit.scope.join(', ')}`;
  throw limitErrors.UnknownScope({ name: limit.name, part: part.slice(0, 200), known }, { target });
}
