import { namedScope, type QuotaRequest } from '../../../kernel/limits/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type PlatformError, platformError } from '../errors.ts';
import { boundOf, quotaOf, type RowId, rowOf } from './declared.ts';
import type { ResourceRow } from './resource-rows.ts';

type LimitJar = Pick<Jar, 'limits'>;

export interface Taken {
  readonly row: RowId;
  /** The values of the parts that are counted separately, in the order of the row's `parts`. */
  readonly scope: readonly string[];
  readonly count?: number;
  /** The existing number, used if nothing has been counted in this scope yet. */
  readonly actual?: (tx: Tx) => Promise<number>;
  /** The start of the error message, if the limit has a message of its own. */
  readonly message?: (maximum: number) => string;
}

/** In the transaction that creates something, before it is written: counts it, or throws if the limit is exceeded. */
export const takeCount = (tx: Tx, jar: LimitJar, taken: Taken): Promise<void> => takeCounts(tx, jar, [taken]);

/** The same for several rows: either all of them count it, or none. */
export async function takeCounts(tx: Tx, { limits }: LimitJar, taken: readonly Taken[]): Promise<void> {
  const decisions = await limits.takeQuotas(tx, taken.map(requestOf));
  const decision = decisions.at(-1);
  if (!decision || decision.allowed) return;
  const { row, scope, message } = taken[decisions.length - 1] as Taken;
  const { maximum, current } = decision;
  throw limitExceeded({ row: rowOf(row), scope, maximum, current, ...(message && { message }) });
}

const requestOf = ({ row, scope, count = 1, actual }: Taken): QuotaRequest =>
  actual ? { limit: quotaOf(row), scope, count, actual } : { limit: quotaOf(row), scope, count };

/** In the transaction that removes something: decrements its count. */
export const freeCount = (tx: Tx, { limits }: LimitJar, { row, ...request }: Omit<Taken, 'actual'>): Promise<void> =>
  limits.freeQuota(tx, { limit: quotaOf(row), ...request });

/** Throws if an object exceeds its maximum size, length or depth. */
export function checkBound({ limits }: LimitJar, row: RowId, scope: readonly string[], value: number): void {
  const { allowed, maximum } = limits.checkBound(boundOf(row), scope, value);
  if (!allowed) throw limitExceeded({ row: rowOf(row), scope, maximum, current: value });
}

interface Exceeded {
  readonly row: ResourceRow;
  readonly scope: readonly string[];
  readonly maximum: number;
  readonly current: number;
  readonly message?: (maximum: number) => string;
  /** Default: the code of the row. */
  readonly code?: string;
}

/** The error names the limit, its value, its scope and whether it can be raised. */
export function limitExceeded(exceeded: Exceeded): PlatformError {
  const { row, scope, maximum, current, message: own } = exceeded;
  const { id, fixed, unit, measure } = row;
  const values = namedScope(row.parts, scope);
  const where = Object.entries(values)
    .map(([part, value]) => `${part} ${value}`)
    .join(', ');
  const raised = fixed
    ? 'The limit is fixed.'
    : 'The limit can be raised: POST /api/2.0/platform/limit-increases asks for it.';
  const counted = measure === 'bound' ? `${current} ${unit} are more than` : `${current} of`;
  const message =
    own?.(maximum) ??
    MESSAGES[id]?.(maximum, current) ??
    `${row.resource}, ${row.metric}: ${counted} ${maximum} ${unit}`;
  const code = exceeded.code ?? CODES[id] ?? 'RESOURCE_LIMIT_EXCEEDED';
  const text = `${message} (scope: ${where}). ${raised}`;
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'LIMIT_EXCEEDED',
      domain: 'platform.vendor.example',
      metadata: {
        limit: `platform.${id}`,
        value: String(maximum),
        scope: row.scope,
        ...values,
        raisable: String(!fixed),
      },
    },
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ subject: where, description: `${row.resource}, ${row.metric}: at most ${maximum} ${unit}` }],
    },
  ];
  if (code !== TOO_MANY) return platformError(400, code, text, details);
  return platformError(429, code, text, details, { headers: { 'retry-after': RETRY_AFTER } });
}

type Message = (maximum: number, current: number) => string;

/** For limits on things that end on their own: clients retry. The end is not known in advance. */
export const TOO_MANY = 'REQUEST_LIMIT_EXCEEDED';
const RETRY_AFTER = '1';

/** Codes that the real service is known to use; the default is RESOURCE_LIMIT_EXCEEDED. */
const CODES: Readonly<Partial<Record<string, string>>> = {
  'saved-jobs': 'QUOTA_EXCEEDED',
  'jobs-created': 'INVALID_STATE',
  'running-tasks': TOO_MANY,
  principals: 'QUOTA_EXCEEDED',
  'ip-access-account': 'QUOTA_EXCEEDED',
  'ip-access-workspace': 'QUOTA_EXCEEDED',
  'user-tokens': 'QUOTA_EXCEEDED',
  'secret-size': 'INVALID_PARAMETER_VALUE',
};

/** The real service's texts, as far as they are known: clients search for parts of them. */
const MESSAGES: Readonly<Partial<Record<string, Message>>> = {
  'saved-jobs': (maximum) =>
    `The quota for the number of jobs has been reached. The current quota is ${maximum}. This quota is only applied to jobs created through the UI or through the /jobs/create endpoint, which are displayed in the Jobs UI. Use /jobs/runs/submit for one-time runs`,
  'jobs-created': (_maximum, current) => `There were already ${current} jobs created in past 3600 seconds`,
  'serving-payload': (maximum) => `Request size cannot exceed ${maximum} bytes`,
  principals: (maximum) => `Cannot have more than ${maximum} users and service principals`,
};
