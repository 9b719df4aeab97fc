import { Type } from 'typebox';
import { accepted, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdAccount } from '../accounts/current-account.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type Status, type SubjectRequest, subjectRequests } from './collections.ts';
import { Receipt, receiptOf, StatusView, statusView } from './shape.ts';
import { emailHashOf } from './signature.ts';
import { FIRST_STEP_MS } from './steps.ts';
import { SUBJECT_STEP, stepItem } from './work.ts';

/** How long a deletion can be cancelled, as in the real service. */
const SECOND_THOUGHTS_MS = 7 * DAY_MS;

const PENDING: ReadonlySet<Status> = new Set(['Created', 'Queued', 'InProgress']);

type Kind = SubjectRequest['kind'];

/** URL of the request's status. */
const locationOf = ({ origin }: Pick<Call, 'origin'>, { kind, token }: SubjectRequest) => ({
  location: `${origin}/v0.1/user/dsr/${kind}/${token}`,
});

const answer = (call: Pick<Call, 'origin'>, request: SubjectRequest) =>
  accepted(locationOf(call, request), receiptOf(request));

/** While a request is pending, another one returns the same receipt. */
async function request(call: Pick<Call, 'jar' | 'facts' | 'origin'>, kind: Kind) {
  const { jar } = call;
  const { id: userId, email } = userOf(call);
  const now = jar.clock.now();
  const token = uuid();
  const wanted: SubjectRequest = {
    token,
    kind,
    userId,
    emailHash: emailHashOf(token, email),
    createdAt: new Date(now).toISOString(),
    status: 'Created',
    message: 'The request was accepted.',
  };
  const made = await jar.store.transact(async (tx) => {
    await holdAccount(tx, userId);
    await tx.lock(`lifecycle.subject/${userId}`);
    const others = await requestsOf(tx, userId, kind);
    const pending = others.find(({ status }) => PENDING.has(status));
    if (pending) return pending;
    await tx.put(subjectRequests, token, wanted);
    await tx.schedule(SUBJECT_STEP.at(now + FIRST_STEP_MS, { token }, stepItem(token)));
    await recordChange(tx, jar, 'action', `lifecycle/users/${userId}`, { action: `dsr/${kind}` });
    return wanted;
  });
  return answer(call, made);
}

async function requestsOf(tx: Tx, userId: string, kind: Kind): Promise<SubjectRequest[]> {
  const filter = { op: 'and', args: [eq('userId', userId), eq('kind', kind)] } as const;
  return (await readAll(tx, subjectRequests, { filter })).map(({ value }) => value);
}

interface Sought {
  readonly token: string;
  readonly kind: Kind;
}

const noSuchRequest = ({ token, kind }: Sought) =>
  errors.NotFound({ reason: `The user has no ${kind} request '${token.slice(0, 100)}'.` });

/** The request must belong to the caller and be of this kind. */
function requireOwn(call: Pick<Call, 'facts'>, sought: Sought, found: SubjectRequest | undefined): SubjectRequest {
  if (found?.kind === sought.kind && found.userId === userOf(call).id) return found;
  throw noSuchRequest(sought);
}

async function cancel(call: Pick<Call, 'jar' | 'facts' | 'origin'>, sought: Sought) {
  const { jar } = call;
  const { token, kind } = sought;
  const canceled = await jar.store.transact(async (tx) => {
    const before = requireOwn(call, sought, (await tx.get(subjectRequests, token))?.value);
    if (before.status === 'None') return before;
    if (!PENDING.has(before.status)) {
      throw errors.Conflict({ reason: `The request is already ${before.status} and cannot be canceled.` });
    }
    if (kind === 'delete' && jar.clock.now() - Date.parse(before.createdAt) > SECOND_THOUGHTS_MS) {
      throw errors.Conflict({ reason: 'A deletion can be canceled only within seven days.' });
    }
    const after: SubjectRequest = { ...before, status: 'None', message: 'The request was canceled.' };
    await tx.put(subjectRequests, token, after);
    await tx.cancel(stepItem(token));
    await recordChange(tx, jar, 'action', `lifecycle/users/${before.userId}`, { action: `dsr/${kind}/cancel` });
    return after;
  });
  return answer(call, canceled);
}

export const requestExport = routeCode([], {
  responses: { 202: Receipt },
  handle: (call) => request(call, 'export'),
});

export const getExportStatus = routeCode(['token'], {
  responses: { 200: StatusView },
  async handle(call) {
    const { token } = call.params;
    const found = (await call.jar.store.get(subjectRequests, token))?.value;
    return ok(statusView(call, requireOwn(call, { token, kind: 'export' }, found)));
  },
});

export const cancelExport = routeCode(['token'], {
  responses: { 202: Receipt },
  handle: (call) => cancel(call, { token: call.params.token, kind: 'export' }),
});

export const requestDeletion = routeCode([], {
  responses: { 202: Receipt },
  handle: (call) => request(call, 'delete'),
});

/** Requires the account's address as a second confirmation. */
export const cancelDeletion = routeCode(['token'], {
  body: Type.Object({ email: Type.String() }),
  responses: { 202: Receipt },
  handle(call) {
    const sought = { token: call.params.token, kind: 'delete' } as const;
    if (call.body.email.toLowerCase() !== userOf(call).email.toLowerCase()) throw noSuchRequest(sought);
    return cancel(call, sought);
  },
});

/** Available to any account with the receipt and the address, because the deleted account has no token. */
export const getDeletionStatus = routeCode(['token'], {
  query: Type.Object({ email: Type.String() }),
  responses: { 200: StatusView },
  async handle(call) {
    const { token } = call.params;
    const found = (await call.jar.store.get(subjectRequests, token))?.value;
    if (found?.kind !== 'delete' || found.emailHash !== emailHashOf(token, call.query.email)) {
      throw errors.NotFound({ reason: `There is no delete request '${token.slice(0, 100)}' for this address.` });
    }
    return ok(statusView(call, found));
  },
});
