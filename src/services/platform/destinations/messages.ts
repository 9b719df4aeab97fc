import { omitAbsent } from '../../../kernel/values/index.ts';
import { textOf } from '../engine/json.ts';
import type { Settings } from '../settings.ts';
import type { Destination } from './find.ts';

/** A PagerDuty event. Events with the same key belong to one incident; `resolve` closes it. */
export interface Incident {
  readonly action: 'trigger' | 'resolve';
  readonly key: string;
  readonly severity: 'critical' | 'error' | 'warning' | 'info';
}

export interface Message {
  readonly url: string;
  readonly body: object;
}

interface Content {
  readonly workspaceId: string;
  readonly headline: string;
  readonly webhook: object;
  readonly incident?: Incident;
}

type Addresses = Pick<Settings, 'pagerDutyUrl' | 'slackUrl'>;

/** The longest summary that PagerDuty accepts. */
const LONGEST_SUMMARY = 1024;

/** The URL for requests to a destination. Returns undefined if it has none. */
export const addressOf = ({ type, config }: Destination, { pagerDutyUrl, slackUrl }: Addresses): string | undefined =>
  textOf(config.url) ?? (type === 'SLACK' ? slackUrl : type === 'PAGERDUTY' ? pagerDutyUrl : undefined);

/**
 * The request to a destination, without its secrets (`compose.ts` adds them). Returns undefined if the destination has no address. A
 * generic webhook receives the event as JSON, chat channels one line of text. PagerDuty, and Slack with a token instead of a URL, have one
 * public address for all users: it is a setting of the jar, so that nothing leaves the machine by default.
 */
export function messageFor(destination: Destination, what: Content, addresses: Addresses): Message | undefined {
  const url = addressOf(destination, addresses);
  if (url === undefined) return undefined;
  const { type, config } = destination;
  const { headline, webhook, workspaceId, incident } = what;
  if (type === 'WEBHOOK') return { url, body: webhook };
  if (config.url !== undefined) return { url, body: { text: headline } };
  if (type === 'SLACK') return { url, body: { channel: config.channel_id, text: headline } };
  if (type !== 'PAGERDUTY' || !incident) return undefined;
  const payload = {
    summary: headline.slice(0, LONGEST_SUMMARY),
    source: `workspace ${workspaceId}`,
    severity: incident.severity,
    custom_details: webhook,
  };
  return {
    url,
    body: omitAbsent({
      event_action: incident.action,
      dedup_key: incident.key.slice(0, 255),
      payload: incident.action === 'trigger' ? payload : undefined,
    }),
  };
}
