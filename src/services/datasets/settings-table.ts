import { defineSettings, type SettingRow } from '../../kernel/settings/index.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/time/index.ts';

const MOST_ROWS = 5_000_000;

const rows = {
  deferredCreation: {
    kind: 'duration',
    from: 0,
    to: 30 * DAY_MS,
    default: 0,
    title:
      'How long the creation of a dataset takes: with 0 the response is 201 and the dataset exists, otherwise the response is 202',
  },
  basicFifoRows: {
    kind: 'count',
    from: 0,
    to: MOST_ROWS,
    default: 200_000,
    title: 'Rows kept in a table with the retention policy basicFIFO',
  },
  basicFifoSlack: {
    kind: 'count',
    from: 0,
    to: MOST_ROWS,
    default: 10_000,
    title: 'Rows beyond basicFifoRows that a table can have before its oldest rows are removed',
  },
  queryTimeLimit: {
    kind: 'duration',
    from: SECOND_MS,
    to: HOUR_MS,
    default: 60 * SECOND_MS,
    title: 'How long a query may take, in real time',
  },
  streamingRetention: {
    kind: 'duration',
    from: SECOND_MS,
    to: DAY_MS,
    default: HOUR_MS,
    title: 'How long a streaming dataset keeps its rows',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

/** Every setting that can be set in the configuration and at run time. */
export const DATASETS_SETTINGS = defineSettings('datasets', { about: 'push datasets', rows });

/** The settings in force; durations in milliseconds. */
export type Settings = (typeof DATASETS_SETTINGS)['defaults'];
