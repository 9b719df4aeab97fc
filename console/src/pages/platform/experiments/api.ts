import type { Tone } from '../../../shared/ui/badge.tsx';
import { writesTo } from '../api.ts';

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export interface Metric {
  readonly key: string;
  /** A word for what JSON cannot express: `NaN`, `Infinity`. */
  readonly value: number | string;
  readonly timestamp: number;
  readonly step?: number;
  /** In histories of several runs. */
  readonly run_id?: string;
}

export interface Experiment {
  readonly experiment_id: string;
  readonly name: string;
  readonly artifact_location?: string;
  readonly lifecycle_stage: string;
  readonly creation_time?: number;
  readonly last_update_time?: number;
  readonly tags?: readonly KeyValue[];
}

export interface TrackedRun {
  readonly info: {
    readonly run_id: string;
    readonly run_name?: string;
    readonly experiment_id: string;
    readonly user_id?: string;
    readonly status: string;
    readonly start_time: number;
    readonly end_time?: number;
    readonly artifact_uri?: string;
    readonly lifecycle_stage: string;
  };
  readonly data: {
    readonly metrics?: readonly Metric[];
    readonly params?: readonly KeyValue[];
    readonly tags?: readonly KeyValue[];
  };
  readonly inputs?: unknown;
  readonly outputs?: unknown;
}

export interface ExperimentPage {
  readonly experiments?: readonly Experiment[];
  readonly next_page_token?: string;
}

export interface TrackedRunPage {
  readonly runs?: readonly TrackedRun[];
  readonly next_page_token?: string;
}

export const MLFLOW = '/api/2.0/mlflow';

/** What may change experiments, runs and models. */
export const TRACKING_CHANGE = [...writesTo('mlflow'), '/ml', '/api/3.0/mlflow'] as const;

export const runName = ({ info: { run_name, run_id } }: TrackedRun): string => run_name ?? run_id;

const TONES: Readonly<Record<string, Tone>> = {
  RUNNING: 'info',
  FINISHED: 'success',
  FAILED: 'failure',
  KILLED: 'warning',
};

export const toneOfStatus = (status: string): Tone => TONES[status] ?? 'neutral';

/** A value as a number, if it is one. */
export function finite(value: number | string): number | null {
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 5, useGrouping: false });

export function shownValue(value: number | string): string {
  const number = finite(value);
  if (number === null) return String(value);
  const size = Math.abs(number);
  return size !== 0 && (size < 0.0001 || size >= 1e9) ? number.toExponential(3) : short.format(number);
}

/** Words of the language of searches; a text with one of them is an expression. */
const EXPRESSION = /[=<>]|\b(LIKE|ILIKE|IN|IS)\b/i;

/** The text of a filter bar in the language of searches: an expression as it is, other text as a search for the name. */
export function searchOf(text: string | undefined, attribute: string): string | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  return EXPRESSION.test(trimmed) ? trimmed : `${attribute} ILIKE '%${trimmed.replaceAll("'", '_')}%'`;
}
