import { type Answer, ApiError } from '../../../kernel/http/index.ts';
import { DeadlinePassed, type Session, sharedSession } from '../api/session.ts';
import { copyOf, emptyMemory, type ItemContext, type Memory, perform } from './perform.ts';
import { type BatchItem, type BatchStep, itemsOf } from './plan.ts';

export interface BatchContext extends ItemContext {
  readonly session: Session;
  readonly continuesOnError: boolean;
  /** The whole batch is one transaction. */
  readonly isSnapshot: boolean;
  render(error: unknown): Answer;
}

export interface Outcome {
  readonly item: BatchItem;
  readonly answer: Answer;
}

/** Outcome of a step: an answer for each of its requests, or the error that ended it. */
export interface StepOutcome {
  readonly step: BatchStep;
  readonly outcomes: readonly Outcome[];
  readonly hasFailed: boolean;
}

/**
 * Performs the steps in order and stops at the first failure, unless `continuesOnError` is set. Returns the outcomes of the performed
 * steps.
 */
export async function runBatch(context: BatchContext, steps: readonly BatchStep[]): Promise<StepOutcome[]> {
  if (context.isSnapshot) return runAsOne(context, steps);
  const done: StepOutcome[] = [];
  const memory = emptyMemory();
  while (done.length < steps.length) {
    const writes = leadingWrites(steps, done.length);
    const next =
      writes.length > 1
        ? await runTogether(context, writes, memory)
        : [await runApart(context, steps[done.length] as BatchStep, memory)];
    done.push(...next);
    if (!context.continuesOnError && done.at(-1)?.hasFailed) break;
  }
  return done;
}

const WRITES = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
/** Writing a subscription waits for a handshake, which must not happen inside a transaction. */
const NEEDS_HANDSHAKE = /(^|\/)subscriptions(\(|\/|\?|$)/i;

/** Limits how long other writers wait for the transaction. */
const MOST_TOGETHER = 100;

function leadingWrites(steps: readonly BatchStep[], from: number): readonly BatchStep[] {
  const next = steps.slice(from, from + MOST_TOGETHER);
  const end = next.findIndex((step) => !isPlainWrite(step));
  return end < 0 ? next : next.slice(0, end);
}

function isPlainWrite(step: BatchStep): boolean {
  return (
    step.kind === 'single' &&
    WRITES.has(step.item.method) &&
    !step.item.url.includes('%') &&
    !NEEDS_HANDSHAKE.test(step.item.url)
  );
}

/**
 * Consecutive writes share one commit, because the commit dominates the cost of a small write. They still succeed or fail separately: if
 * one fails, the transaction is rolled back, the writes before it run again together, and the failing one runs alone.
 */
async function runTogether(
  context: BatchContext,
  steps: readonly BatchStep[],
  memory: Memory,
): Promise<readonly StepOutcome[]> {
  if (steps.length === 1) return [await runApart(context, steps[0] as BatchStep, memory)];
  let reached = 0;
  try {
    const shared = await context.session.jar.store.transact(async (tx) => {
      const { session, end } = sharedSession(context.session, tx);
      const remembered = copyOf(memory);
      const done: StepOutcome[] = [];
      for (reached = 0; reached < steps.length; reached++) {
        done.push(await succeed(context, session, steps[reached] as BatchStep, remembered));
      }
      await end();
      return { done, remembered };
    });
    remember(memory, shared.remembered);
    return shared.done;
  } catch (error) {
    if (error instanceof DeadlinePassed) throw error;
    // All steps passed and the commit failed: no single step is at fault, and a smaller group may succeed.
    const passed = reached < steps.length ? reached : Math.floor(steps.length / 2);
    return runTogether(context, steps.slice(0, Math.max(1, passed)), memory);
  }
}

function remember(memory: Memory, { references, failed }: Memory): void {
  for (const [id, reference] of references) memory.references.set(id, reference);
  for (const id of failed) memory.failed.add(id);
}

/** Performs a change set in its own transaction; a single request opens its own if it needs one. */
async function runApart(context: BatchContext, step: BatchStep, memory: Memory): Promise<StepOutcome> {
  let tried = 0;
  try {
    if (step.kind === 'single') return await succeed(context, context.session, step, memory);
    const shared = await context.session.jar.store.transact(async (tx) => {
      const { session, end } = sharedSession(context.session, tx);
      const remembered = copyOf(memory);
      tried = 0;
      const done = await succeed(context, session, step, remembered, () => tried++);
      await end();
      return { done, remembered };
    });
    remember(memory, shared.remembered);
    return shared.done;
  } catch (error) {
    if (error instanceof DeadlinePassed) throw error;
    return failure(context, step, tried, error, memory);
  }
}

/** Performs all requests of a step; throws the error of the first that fails. */
async function succeed(
  context: BatchContext,
  session: Session,
  step: BatchStep,
  memory: Memory,
  passed: () => void = () => {},
): Promise<StepOutcome> {
  const outcomes: Outcome[] = [];
  for (const item of itemsOf(step)) {
    outcomes.push({ item, answer: await perform(session, item, memory, context) });
    passed();
  }
  return { step, outcomes, hasFailed: false };
}

function failure(context: BatchContext, step: BatchStep, tried: number, error: unknown, memory: Memory): StepOutcome {
  const items = itemsOf(step);
  for (const { id } of items) {
    if (id === undefined) continue;
    memory.failed.add(id);
    memory.references.delete(id);
  }
  if (step.kind === 'changeSet' && step.id !== undefined) memory.failed.add(step.id);
  const item = (items[tried] ?? items.at(-1)) as BatchItem;
  return { step, outcomes: [{ item, answer: context.render(error) }], hasFailed: true };
}

/** Thrown to roll back the whole batch; carries the outcomes for the client. */
class RolledBack extends Error {
  readonly done: StepOutcome[];
  constructor(done: StepOutcome[]) {
    super('a request of the batch has failed');
    this.done = done;
  }
}

/** Requests that succeeded before the failure are reported as successful, although they are rolled back too. */
async function runAsOne(context: BatchContext, steps: readonly BatchStep[]): Promise<StepOutcome[]> {
  try {
    return await context.session.jar.store.transact(async (tx) => {
      const { session, end } = sharedSession(context.session, tx);
      const memory = emptyMemory();
      const done: StepOutcome[] = [];
      for (const step of steps) {
        done.push(await runInside(context, session, step, memory));
        if (!context.continuesOnError && done.at(-1)?.hasFailed) break;
      }
      if (done.some(({ hasFailed }) => hasFailed)) throw new RolledBack(done);
      await end();
      return done;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.done;
    throw error;
  }
}

async function runInside(
  context: BatchContext,
  session: Session,
  step: BatchStep,
  memory: Memory,
): Promise<StepOutcome> {
  let tried = 0;
  try {
    return await succeed(context, session, step, memory, () => tried++);
  } catch (error) {
    // Any other error belongs to the transaction, which may retry.
    if (!(error instanceof ApiError)) throw error;
    return failure(context, step, tried, error, memory);
  }
}
