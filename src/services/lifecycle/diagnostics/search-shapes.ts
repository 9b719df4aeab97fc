import {
  compileFilter,
  type EntityShape,
  entityShape,
  type PropertyShape,
  refusing,
} from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { type Report, type ReportGroup, reportGroups, reports } from './collections.ts';

/** Property names available in filters of groups and reports: those of the responses. */

const text = (field: string): PropertyShape => ({ type: 'Edm.String', field });
const instant = (field: string): PropertyShape => ({ type: 'Edm.DateTimeOffset', field });
const whole = (field: string): PropertyShape => ({ type: 'Edm.Int64', field });

const REASON = {
  exceptionType: text('type'),
  exceptionMessage: text('message'),
  exceptionClassName: text('className'),
  exceptionMethod: text('method'),
  exceptionFile: text('file'),
  exceptionLine: text('line'),
};

const GROUPS = entityShape<ReportGroup>({
  name: 'error groups',
  collection: reportGroups,
  properties: {
    errorGroupId: text('id'),
    appVersion: text('version'),
    version: text('version'),
    appBuild: text('build'),
    state: text('state'),
    errorType: text('kind'),
    count: whole('count'),
    deviceCount: whole('deviceCount'),
    annotation: text('annotation'),
    firstOccurrence: instant('firstTime'),
    lastOccurrence: instant('lastTime'),
    ...REASON,
  },
  scan: 'refused',
});

const REPORTS = entityShape<Report>({
  name: 'errors',
  collection: reports,
  properties: {
    errorId: text('id'),
    errorGroupId: text('groupId'),
    errorType: text('kind'),
    timestamp: instant('time'),
    appVersion: text('version'),
    appBuild: text('build'),
    deviceName: text('model'),
    osVersion: text('osVersion'),
    osType: text('osName'),
    language: text('locale'),
    userId: text('userId'),
    ...REASON,
  },
  scan: 'refused',
});

/** Compiles an OData filter for the store. */
const compiled = <T>(shape: EntityShape<T>) =>
  async function filterOf(source: string | undefined, now: number): Promise<Filter | undefined> {
    if (source === undefined || source.trim() === '') return undefined;
    const { filter } = await refusing(
      () => compileFilter(shape, source, now),
      () => 'BadRequest',
    );
    return filter;
  };

export const groupFilter = compiled(GROUPS);
export const reportFilter = compiled(REPORTS);
