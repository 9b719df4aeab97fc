import type { Tx } from '../../../../kernel/store/index.ts';
import { principalKey, principals, workspaces } from '../../accounts/collections.ts';
import { announce, type Receivers } from '../../destinations/announce.ts';
import { objects, type PlatformObject } from '../../engine/objects.ts';
import { keyOf } from '../../engine/removal.ts';
import type { PlatformJar } from '../../jar.ts';
import { queryValues } from '../query-values.ts';
import { type Answer, answerOf, type QueryRun } from '../results/answer.ts';
import { type AlertState, type Decision, decide } from './compare.ts';
import { announcementOf } from './message.ts';
import { originOf } from './origin.ts';
import { evaluationOf, keptEvaluation, step } from './state.ts';
import { type AlertSubject, isVersion2, subjectOf } from './subject.ts';

export interface Evaluated {
  readonly alert: PlatformObject;
  readonly state: AlertState;
  /** Set if the state does not follow from a comparison: the reason. */
  readonly problem?: string | undefined;
  readonly statement: string | undefined;
  readonly notified: boolean;
}

/**
 * Evaluates an alert against the result of its query, and notifies. The caller has locked the document of the alert, so that two
 * evaluations never notify of the same change. `receivers`: those of a job task, in place of the alert's own.
 */
export async function evaluateAlert(
  tx: Tx,
  jar: PlatformJar,
  alert: PlatformObject,
  receivers?: Receivers,
): Promise<Evaluated> {
  const now = jar.clock.now();
  const subject = await subjectOf(tx, alert);
  const { statement } = subject;
  const result = statement === undefined ? undefined : await answerOf(tx, jar, askedBy(alert, subject, statement, now));
  const decision = decisionOf(subject, result);
  const state = decision.problem === undefined ? decision.state : subject.onProblem;
  const { after, notifies } = step(evaluationOf(alert), state, now, subject);
  const evaluated: PlatformObject = { ...alert, extra: keptEvaluation(alert, after) };
  await tx.put(objects, keyOf(alert), evaluated);
  await tx.change({
    source: 'platform',
    kind: 'evaluate',
    subject: `/${alert.scope}/${alert.kind}/${alert.id}`,
    outcome: 'Succeeded',
    at: now,
    data: { kind: alert.kind, id: alert.id, state },
  });
  const notified = notifies && !subject.isMuted;
  if (notified) await notify(tx, jar, { alert: evaluated, subject, state, decision, result }, receivers);
  return { alert: evaluated, state, problem: decision.problem, statement, notified };
}

/** The query runs as the owner of the alert. */
const askedBy = (
  { scope, createdBy, owner = createdBy }: PlatformObject,
  { queryId, query }: AlertSubject,
  statement: string,
  now: number,
): QueryRun => ({
  workspaceId: scope,
  queryId,
  statement,
  principal: owner,
  fields: query,
  parameters: queryValues(query.parameters, {}, now),
});

/** Without a known result of the query, the alert stays undecided. */
function decisionOf({ rule, statement }: AlertSubject, result: Answer | undefined): Decision {
  if (statement === undefined) return { problem: 'The query of the alert does not exist.' };
  if (!result) return { state: 'UNKNOWN' };
  return result.error === undefined ? decide(rule, result) : { problem: result.error };
}

export interface AlertChange {
  readonly alert: PlatformObject;
  readonly subject: AlertSubject;
  readonly state: AlertState;
  readonly decision: Decision;
  readonly result: Answer | undefined;
}

async function notify(tx: Tx, jar: PlatformJar, change: AlertChange, receivers: Receivers | undefined): Promise<void> {
  const { alert, subject } = change;
  const workspace = (await tx.get(workspaces, alert.scope, 'none'))?.value;
  if (!workspace) return;
  const { createdBy, owner: given = createdBy } = alert;
  const owner = (await tx.get(principals, principalKey(workspace.accountId, given), 'none'))?.value;
  // Version 1 alerts have no subscribers in the API: their owners are notified.
  const own = isVersion2(alert) ? subject : { addresses: owner?.userName ? [owner.userName] : [], destinations: [] };
  await announce(tx, jar, announcementOf(workspace, change, owner, originOf(jar)), receivers ?? own);
}
