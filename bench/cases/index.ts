import type { Case } from '../lib/case.ts';
import { businessBatch } from './business-batch.ts';
import { businessChanges } from './business-changes.ts';
import { businessList } from './business-list.ts';
import { consoleCase } from './console.ts';
import { containerGroups } from './container-groups.ts';
import { containers } from './containers.ts';
import { datasetsIntake } from './datasets-intake.ts';
import { datasetsQueries } from './datasets-queries.ts';
import { dataShareCopy } from './datashare-copy.ts';
import { dataShareList } from './datashare-list.ts';
import { delivery } from './delivery.ts';
import { eventMatching } from './event-matching.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { firstContact } from './first-contact.ts';
import { firstRequests } from './first-requests.ts';
import { fullText } from './full-text.ts';
import { get } from './get.ts';
import { inProcessStart } from './in-process-start.ts';
import { lifecycleTokens } from './lifecycle-tokens.ts';
import { limits } from './limits.ts';
import { list } from './list.ts';
import { live } from './live.ts';
import { mailIntake } from './mail-intake.ts';
import { mailStore } from './mail-store.ts';
import { memory } from './memory.ts';
import { odata } from './odata.ts';
import { platformJobs } from './platform-jobs.ts';
import { platformLimits } from './platform-limits.ts';
import { platformSearch } from './platform-search.ts';
import { platformTasks } from './platform-tasks.ts';
import { platformTracking } from './platform-tracking.ts';
import { put } from './put.ts';
import { reset } from './reset.ts';
import { snapshots } from './snapshots.ts';
import { start } from './start.ts';
import { translatorHostile } from './translator-hostile.ts';
import { translatorLoad } from './translator-load.ts';
import { typedAppend } from './typed-append.ts';
import { whyNoKysely } from './why-no-kysely.ts';

/** In the order in which they are run and reported. */
export const CASES: readonly Case[] = [
  start,
  firstContact,
  firstRequests,
  memory,
  get,
  put,
  list,
  odata,
  fullText,
  reset,
  snapshots,
  live,
  consoleCase,
  faults,
  limits,
  delivery,
  eventMatching,
  events,
  businessList,
  dataShareList,
  containerGroups,
  containers,
  businessBatch,
  businessChanges,
  translatorLoad,
  translatorHostile,
  lifecycleTokens,
  dataShareCopy,
  typedAppend,
  datasetsIntake,
  datasetsQueries,
  mailIntake,
  mailStore,
  inProcessStart,
  whyNoKysely,
  platformJobs,
  platformLimits,
  platformTasks,
  platformTracking,
  platformSearch,
];
