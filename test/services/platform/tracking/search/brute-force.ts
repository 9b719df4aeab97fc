import type { MetricValue } from '../../../../../src/services/platform/tracking/collections.ts';
import type { Comparison, OrderKey } from '../../../../../src/services/platform/tracking/search/language.ts';

/** A reference implementation of searches in plain loops: it shares only the parser with the service. */

export interface SampleRun {
  readonly id: string;
  readonly experiment: string;
  readonly name: string;
  readonly userId: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime?: number;
  readonly deleted: boolean;
  readonly metrics: Readonly<Record<string, MetricValue>>;
  readonly params: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly datasets: readonly { readonly name: string; readonly digest: string; readonly context?: string }[];
}

type Value = number | string | undefined;

function valuesOf(run: SampleRun, entity: string, key: string): Value[] {
  switch (entity) {
    case 'metric':
      return [key in run.metrics ? Number(run.metrics[key]) : undefined];
    case 'parameter':
      return [run.params[key]];
    case 'tag':
      return [run.tags[key]];
    case 'dataset':
      return run.datasets.map((dataset) => dataset[key as 'name']);
    default:
      return [attributeOf(run, key)];
  }
}

function attributeOf(run: SampleRun, key: string): Value {
  switch (key) {
    case 'run_id':
      return run.id;
    case 'run_name':
      return run.name;
    case 'user_id':
      return run.userId;
    case 'status':
      return run.status;
    case 'start_time':
      return run.startTime;
    case 'end_time':
      return run.endTime;
    case 'artifact_uri':
      return `x:/${run.id}`;
    default:
      throw new Error(`no attribute ${key}`);
  }
}

export const holds = (run: SampleRun, comparisons: readonly Comparison[]): boolean =>
  comparisons.every(({ entity, key, operator, value }) =>
    valuesOf(run, entity, key).some((own) => compared(own, operator, value)),
  );

function compared(own: Value, operator: Comparison['operator'], value: Comparison['value']): boolean {
  if (operator === 'IS NULL') return own === undefined;
  if (own === undefined) return false;
  if (operator === 'IS NOT NULL') return true;
  if (Number.isNaN(own)) return false;
  switch (operator) {
    case '=':
      return own === value;
    case '!=':
      return own !== value;
    case '<':
      return own < value!;
    case '<=':
      return own <= value!;
    case '>':
      return own > value!;
    case '>=':
      return own >= value!;
    case 'IN':
      return (value as string[]).includes(String(own));
    case 'NOT IN':
      return !(value as string[]).includes(String(own));
    default: {
      const pattern = String(value)
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.');
      return new RegExp(`^${pattern}$`, operator === 'ILIKE' ? 'isu' : 'su').test(String(own));
    }
  }
}

export function inOrder(runs: readonly SampleRun[], order: readonly OrderKey[]): SampleRun[] {
  return [...runs].sort((a, b) => {
    for (const { entity, key, descending } of order) {
      const [left] = valuesOf(a, entity, key);
      const [right] = valuesOf(b, entity, key);
      const ranks = rank(left) - rank(right);
      if (ranks !== 0) return ranks;
      if (rank(left) > 0 || left === right) continue;
      return byCharacters(left!, right!) * (descending ? -1 : 1);
    }
    return b.startTime - a.startTime || (a.id < b.id ? -1 : 1);
  });
}

/** Compares texts by code points, not by UTF-16 units, and without NUL, which columns do not store. */
const byCharacters = (left: string | number, right: string | number): number =>
  typeof left === 'string' && typeof right === 'string'
    ? Buffer.compare(...([left, right].map((text) => Buffer.from(text.replaceAll('\0', '\ufffd'))) as [Buffer, Buffer]))
    : left < right
      ? -1
      : 1;

const rank = (value: Value): number => (value === undefined ? 2 : Number.isNaN(value) ? 1 : 0);
