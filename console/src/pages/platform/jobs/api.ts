import type { TaskSettings } from '../runs/api.ts';

export interface JobSettings {
  readonly name?: string;
  readonly description?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly tasks?: readonly TaskSettings[];
  readonly schedule?: {
    readonly quartz_cron_expression: string;
    readonly timezone_id: string;
    readonly pause_status?: string;
  };
  readonly trigger?: {
    readonly pause_status?: string;
    readonly periodic?: { readonly interval: number; readonly unit: string };
    readonly file_arrival?: { readonly url: string };
    readonly table_update?: { readonly table_names?: readonly string[] };
    readonly [kind: string]: unknown;
  };
  readonly continuous?: { readonly pause_status?: string };
  readonly parameters?: readonly { readonly name: string; readonly default: string }[];
  readonly max_concurrent_runs?: number;
}

export interface Job {
  readonly job_id: number;
  readonly creator_user_name: string;
  readonly run_as_user_name?: string;
  readonly created_time: number;
  readonly settings: JobSettings;
  readonly has_more?: boolean;
  readonly next_page_token?: string;
}

export interface JobPage {
  readonly jobs?: readonly Job[];
  readonly next_page_token?: string;
}

export const jobName = ({ settings: { name }, job_id }: Job): string => name ?? `Job ${job_id}`;

/** What starts the job by itself, in words. */
export function startsBy({ schedule, trigger, continuous }: JobSettings): string {
  const { pause_status: pause } = schedule ?? trigger ?? continuous ?? {};
  const paused = pause === 'PAUSED' ? ', paused' : '';
  if (schedule) return `${schedule.quartz_cron_expression} ${schedule.timezone_id}${paused}`;
  if (continuous) return `continuous${paused}`;
  if (!trigger) return 'by hand';
  const { periodic, file_arrival: arrival, table_update: update } = trigger;
  if (periodic) return `every ${periodic.interval} ${periodic.unit.toLowerCase()}${paused}`;
  if (arrival) return `files in ${arrival.url}${paused}`;
  if (update) return `changes of ${(update.table_names ?? []).join(', ')}${paused}`;
  const kind = Object.keys(trigger).find((name) => name !== 'pause_status') ?? 'trigger';
  return `${kind.replaceAll('_', ' ')}${paused}`;
}
