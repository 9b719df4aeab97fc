import { announce } from '../destinations/announce.ts';
import { JOB_WEBHOOK } from '../destinations/policy-names.ts';
import { listOf, membersOf, textsOf } from '../engine/json.ts';
import type { Update } from './collections.ts';
import type { PipelineChange } from './pipeline-change.ts';
import type { ALERTS } from './spec.ts';

type Alert = (typeof ALERTS)[number];

interface Failed {
  readonly message: string;
}

/** Sends mail to all receivers that the settings name, in the transaction in which an update ends. `isLast`: the update is not retried. */
export async function notifyUpdate(
  change: PipelineChange,
  update: Update,
  failure: Failed | undefined,
  isLast: boolean,
): Promise<void> {
  for (const alert of alertsOf(update, failure, isLast)) {
    const addresses = listOf(update.config.notifications)
      .map(membersOf)
      .filter(({ alerts }) => textsOf(alerts).includes(alert))
      .flatMap(({ email_recipients: recipients }) => textsOf(recipients));
    if (addresses.length > 0) await mail(change, update, alert, addresses, failure);
  }
}

function alertsOf({ state, program }: Update, failure: Failed | undefined, isLast: boolean): readonly Alert[] {
  if (state === 'COMPLETED') return ['on-update-success'];
  if (!failure) return [];
  const hasFailedFlow = program?.flows.some(({ outcome }) => outcome === 'FAILED') === true;
  return [
    'on-update-failure',
    ...(isLast ? (['on-update-fatal-failure'] as const) : []),
    ...(hasFailedFlow ? (['on-flow-failure'] as const) : []),
  ];
}

const HAPPENINGS: Readonly<Record<Alert, string>> = {
  'on-update-success': 'completed',
  'on-update-failure': 'failed',
  'on-update-fatal-failure': 'failed and is not retried',
  'on-flow-failure': 'failed in one of its flows',
};

async function mail(
  { tx, jar, pipeline }: PipelineChange,
  { id, state }: Update,
  alert: Alert,
  addresses: readonly string[],
  failure: Failed | undefined,
): Promise<void> {
  const { accountId, workspaceId } = pipeline;
  const headline = `Pipeline ${pipeline.name}: update ${id} ${HAPPENINGS[alert]}`;
  const lines = [
    `${headline}.`,
    '',
    `Workspace: ${workspaceId}`,
    `Pipeline: ${pipeline.name} (${pipeline.id})`,
    `Update: ${id}`,
    `State: ${state}`,
    `Alert: ${alert}`,
    ...(failure ? [`Message: ${failure.message}`] : []),
  ];
  const text = `${lines.join('\n')}\n`;
  await announce(
    tx,
    jar,
    { accountId, workspaceId, policy: JOB_WEBHOOK, headline, text, webhook: {} },
    { addresses, destinations: [] },
  );
}
