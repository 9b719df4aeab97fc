import { ApiError } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx, WorkItem } from '../../../kernel/store/index.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { users } from '../collections.ts';
import type { LifecycleJar } from '../jar.ts';
import { collectData } from './collect-data.ts';
import { type SubjectRequest, subjectExports, subjectRequests } from './collections.ts';
import { checkDeletable, deleteAccount } from './delete-account.ts';
import { SUBJECT_STEP, stepItem } from './work.ts';

/** Delay before the first step of a request. */
export const FIRST_STEP_MS = 10 * SECOND_MS;
/** Duration of an export. */
const EXPORT_MS = MINUTE_MS;
/** How long an export can be downloaded. */
const EXPORT_KEPT_MS = 7 * DAY_MS;
/** Delay from the request to the deletion. */
const DELETION_MS = 30 * DAY_MS;

/**
 * An export goes through Created, InProgress and Completed, and is finally removed; a deletion is Created, Queued for 30 days, then
 * Completed or Failed.
 */
export const takeStep = workHandler(SUBJECT_STEP, async (item, jar: LifecycleJar) => {
  const request = (await jar.store.get(subjectRequests, item.payload.token))?.value;
  if (!request) return;
  if (request.kind === 'export') return exportStep(jar, item, request);
  return deletionStep(jar, item, request);
});

type StepItem = WorkItem<{ readonly token: string }>;

async function exportStep(jar: Jar, item: StepItem, request: SubjectRequest): Promise<void> {
  const { token, userId, status } = request;
  const now = jar.clock.now();
  // Read outside the transaction, which only writes: the export need not be a consistent snapshot.
  const data = status === 'InProgress' ? await collectData(jar, userId) : undefined;
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const current = (await tx.get(subjectRequests, token))?.value;
    if (current?.status !== status) return;
    if (status === 'Created') {
      await tx.put(subjectRequests, token, {
        ...current,
        status: 'InProgress',
        message: 'The data is being collected.',
      });
      await again(tx, token, now + EXPORT_MS);
    } else if (status === 'InProgress') {
      await finishExport(tx, current, data, now);
    } else if (status === 'Completed') {
      await tx.delete(subjectExports, token);
    }
  });
}

type Collected = Awaited<ReturnType<typeof collectData>>;

async function finishExport(tx: Tx, request: SubjectRequest, data: Collected, now: number): Promise<void> {
  const { token } = request;
  if (data === undefined) {
    await tx.put(subjectRequests, token, { ...request, status: 'Failed', message: 'The account no longer exists.' });
    return;
  }
  const expiresAt = new Date(now + EXPORT_KEPT_MS).toISOString();
  await tx.put(subjectExports, token, { data });
  await tx.put(subjectRequests, token, {
    ...request,
    status: 'Completed',
    message: 'The data can be downloaded.',
    expiresAt,
  });
  await again(tx, token, now + EXPORT_KEPT_MS);
}

async function deletionStep(
  jar: LifecycleJar,
  item: StepItem,
  { token, userId, createdAt, status }: SubjectRequest,
): Promise<void> {
  await jar.store
    .transact(async (tx) => {
      await tx.complete(item);
      const current = (await tx.get(subjectRequests, token))?.value;
      if (current?.status !== status) return;
      const user = (await tx.get(users, userId))?.value;
      if (status === 'Created' && user) {
        await checkDeletable(tx, user);
        await tx.put(subjectRequests, token, {
          ...current,
          status: 'Queued',
          message: 'The account will be deleted 30 days after the request.',
        });
        await again(tx, token, Date.parse(createdAt) + DELETION_MS);
      } else if (status === 'Created' || status === 'Queued') {
        if (user) await deleteAccount(tx, jar, user, token);
        await tx.put(subjectRequests, token, { ...current, status: 'Completed', message: 'The account was deleted.' });
      }
    })
    .catch((error) => failWith(jar, item, token, error));
}

/** If something would be orphaned, the account is kept and the attempt is rolled back. */
async function failWith(jar: Jar, item: StepItem, token: string, error: unknown): Promise<void> {
  if (!(error instanceof ApiError)) throw error;
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const current = (await tx.get(subjectRequests, token))?.value;
    if (current) await tx.put(subjectRequests, token, { ...current, status: 'Failed', message: error.message });
  });
}

async function again(tx: Tx, token: string, dueAt: number): Promise<void> {
  await tx.schedule(SUBJECT_STEP.at(dueAt, { token }, stepItem(token)));
}
