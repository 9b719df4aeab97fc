import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf, textsOf } from '../../engine/json.ts';
import type { JobSettings } from '../job.ts';
import { CronError, parseCron, shortestGap } from '../schedule/cron.ts';
import { zoneOf } from '../schedule/zone.ts';
import { invalid } from './rules.ts';

const TIMINGS = ['schedule', 'trigger', 'triggers', 'continuous'] as const;

const TRIGGERS = ['periodic', 'file_arrival', 'table_update', 'table', 'model'] as const;

/** Minimum interval between scheduled firings. */
const LEAST_SECONDS = 10;

export function checkTiming(settings: JobSettings): void {
  const given = TIMINGS.filter((name) => settings[name] !== undefined);
  // `triggers` may be combined with `trigger`.
  const excluding = given.filter((name) => name !== 'triggers' || settings.trigger === undefined);
  if (excluding.length > 1)
    throw invalid(`A job can have only one of schedule, trigger and continuous; it has ${excluding.join(' and ')}.`);
  const { schedule, trigger, triggers = [], continuous, max_concurrent_runs: concurrent = 1 } = settings;
  if (schedule) checkSchedule(schedule);
  for (const each of [...(trigger ? [trigger] : []), ...triggers]) {
    const kinds = TRIGGERS.filter((name) => each[name] !== undefined);
    if (kinds.length !== 1)
      throw invalid(
        `A trigger must be exactly one of ${TRIGGERS.join(', ')}; it is ${kinds.length === 0 ? 'none' : kinds.join(' and ')}.`,
      );
    checkNames(each);
  }
  if (continuous && concurrent !== 1)
    throw invalid(`max_concurrent_runs of a continuous job must be 1; it is ${concurrent}.`);
}

const PARTS_OF_TABLE = 3;

/** Accepted names: full names of tables; a model, a schema or a catalog; or no name for all models of the metastore. */
function checkNames({ table_update: update, table, model }: JsonMembers): void {
  for (const name of textsOf(membersOf(update ?? table).table_names)) {
    const parts = name.split('.', PARTS_OF_TABLE + 1);
    if (parts.length !== PARTS_OF_TABLE || parts.includes(''))
      throw invalid(`'${name}' is not the full name of a table: it has the form catalog.schema.table.`);
  }
  const { securable_name: watched, aliases, condition } = membersOf(model);
  const parts = (textOf(watched) ?? '').split('.', PARTS_OF_TABLE + 1);
  if (textOf(watched) && (parts.length > PARTS_OF_TABLE || parts.includes('')))
    throw invalid(`'${textOf(watched)}' is not the full name of a model, a schema or a catalog.`);
  if (listOf(aliases).length > 0 && condition !== 'MODEL_ALIAS_SET')
    throw invalid(`The aliases of a trigger can only be given with the condition MODEL_ALIAS_SET, not ${condition}.`);
}

function checkSchedule({
  quartz_cron_expression: expression,
  timezone_id: zone,
}: NonNullable<JobSettings['schedule']>): void {
  if (!zoneOf(zone)) throw invalid(`Invalid timezone: '${zone.slice(0, 100)}' is not the id of a time zone.`);
  let gap: number;
  try {
    gap = shortestGap(parseCron(expression));
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw invalid(`Invalid quartz cron expression '${expression.slice(0, 200)}': ${error.message}.`);
  }
  if (gap < LEAST_SECONDS)
    throw invalid(
      `Invalid quartz cron expression '${expression}': firings must be at least ${LEAST_SECONDS} seconds apart; some are ${gap}.`,
    );
}
