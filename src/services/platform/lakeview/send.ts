import type { Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { workspaces } from '../accounts/collections.ts';
import { type Announcement, announce, LONGEST_MESSAGE, type Receivers } from '../destinations/announce.ts';
import { SQL_WEBHOOK } from '../destinations/policy-names.ts';
import { membersOf, numberOf, textOf } from '../engine/json.ts';
import type { PlatformObject } from '../engine/objects.ts';
import type { PlatformJar } from '../jar.ts';
import { type Dataset, datasetsOf, datasetText, datasetView } from './snapshot.ts';

/** The published revision of a dashboard. Returns undefined if it was not published. */
export const publishedIn = ({ extra }: PlatformObject): JsonMembers | undefined =>
  extra?.published === undefined ? undefined : membersOf(extra.published);

/** Sends the current content of a dashboard: a text with its datasets, since dashboards are not rendered. Returns the datasets. */
export async function sendDashboard(
  tx: Tx,
  jar: PlatformJar,
  dashboard: PlatformObject,
  receivers: Receivers,
  subject?: string,
): Promise<readonly Dataset[]> {
  const shown = publishedIn(dashboard) ?? dashboard.fields;
  const datasets = await datasetsOf(tx, jar, dashboard, textOf(shown.serialized_dashboard) ?? '');
  const workspace = (await tx.get(workspaces, dashboard.scope, 'none'))?.value;
  if (!workspace || receivers.addresses.length + receivers.destinations.length === 0) return datasets;
  const name = textOf(shown.display_name) ?? '';
  const headline = subject === undefined || subject === '' ? `Dashboard "${name}" was refreshed` : subject;
  const revisionAt = numberOf(shown.revisionAt);
  const what: Announcement = {
    accountId: workspace.accountId,
    workspaceId: workspace.id,
    policy: SQL_WEBHOOK,
    headline,
    text: messageOf(headline, datasets),
    webhook: {
      event: 'dashboard_refreshed',
      workspace_id: Number(workspace.id),
      dashboard: omitAbsent({
        dashboard_id: dashboard.id,
        display_name: name,
        revision_create_time: revisionAt === undefined ? undefined : isoTime(revisionAt),
      }),
      datasets: datasets.map(datasetView),
    },
  };
  await announce(tx, jar, what, receivers);
  return datasets;
}

/** A hundred wide datasets have millions of cells: those beyond the maximum length of the message are not serialised. */
function messageOf(headline: string, datasets: readonly Dataset[]): string {
  let text = `${headline}.\n`;
  for (const dataset of datasets) {
    if (text.length >= LONGEST_MESSAGE) break;
    text += `\n${datasetText(dataset)}`;
  }
  return text.slice(0, LONGEST_MESSAGE);
}
