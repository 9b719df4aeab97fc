import type { Limit } from '../limits/index.ts';
import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

export interface Row {
  readonly title: string;
  /** The smallest and the largest number that is accepted; durations in milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** One number. A duration is written in milliseconds or as text (`30s`, `3.00:00:00`). */
export interface NumberRow extends Row {
  readonly kind: 'duration' | 'count';
  /** Absent: there is no value unless one is given. */
  readonly default?: number;
  /** Names by which the value may differ: then a list of cases can be given instead of one number. */
  readonly by?: readonly string[];
}

/** A list of durations. */
export interface DurationsRow extends Row {
  readonly kind: 'durations';
  readonly default: readonly number[];
}

/** The maximum of a limit: the overrides of limits hold what was changed, so that there is one number whoever changes it. */
export interface LimitRow extends Row {
  readonly kind: 'limit';
  readonly limit: Limit;
}

/** Something that is done or not. */
export interface FlagRow extends Pick<Row, 'title'> {
  readonly kind: 'flag';
  readonly default: boolean;
}

export type SettingRow = NumberRow | DurationsRow | LimitRow | FlagRow;

/** A value where all names that are given fit; of several cases the first that fits counts. */
export type Case<Name extends string = string> = { readonly [N in Name]?: string } & { readonly value: number };

export type SettingValue = number | boolean | readonly number[] | readonly Case[];

type ValueOf<R> = R extends { readonly by: readonly (infer Name extends string)[] }
  ? number | readonly Case<Name>[]
  : R extends { readonly kind: 'durations' }
    ? readonly number[]
    : R extends { readonly kind: 'flag' }
      ? boolean
      : number;

type Kept<Rows> = {
  [N in keyof Rows as Rows[N] extends { readonly kind: 'limit' } ? never : N]: Rows[N];
};

type WithDefault<Rows> = { [N in keyof Rows as Rows[N] extends { readonly default: unknown } ? N : never]: Rows[N] };

type WithoutDefault<Rows> = Omit<Rows, keyof WithDefault<Rows>>;

/** The settings in force that a table of rows gives, durations in milliseconds. Limits are asked for where limits are. */
export type SettingsOf<Rows> = { readonly [N in keyof WithDefault<Kept<Rows>>]: ValueOf<Rows[N & keyof Rows]> } & {
  readonly [N in keyof WithoutDefault<Kept<Rows>>]?: ValueOf<Rows[N & keyof Rows]>;
};

/** The settings of a service that can be changed at run time: data, so that a manifest can have it. */
export interface SettingsTable<S extends object> {
  /** They are configured under `services.<service>` and changed by `PATCH /_jar/<service>/settings`. */
  readonly service: string;
  /** What they are the settings of, in words. */
  readonly about: string;
  readonly rows: Readonly<Record<string, SettingRow>>;
  readonly defaults: S;
  /** What was changed at run time, in one document. Cached: every request may ask, and every node learns of a change. */
  readonly changed: Collection<Partial<S>>;
  /** A second name under which a setting is accepted. */
  aliasOf?(name: string): string;
}

/** The key of the one document of `changed`. */
export const SETTINGS_KEY = 'settings';

export interface SettingsOptions<Rows> {
  readonly about: string;
  readonly rows: Rows;
  aliasOf?(name: string): string;
}

/** Declares the changeable settings of a service; what was changed is stored in the collection `<service>.settings`. */
export function defineSettings<const Rows extends Readonly<Record<string, SettingRow>>>(
  service: string,
  { about, rows, aliasOf }: SettingsOptions<Rows>,
): SettingsTable<SettingsOf<Rows>> {
  const given = Object.entries(rows).flatMap(([name, row]) =>
    'default' in row && row.default !== undefined ? [[name, row.default]] : [],
  );
  return {
    service,
    about,
    rows,
    // Made of the same rows as the type.
    defaults: Object.fromEntries(given) as SettingsOf<Rows>,
    changed: collection<Partial<SettingsOf<Rows>>>(`${service}.settings`, { cached: true }),
    ...(aliasOf && { aliasOf }),
  };
}

/** All names under which a setting is accepted. */
export const spellingsOf = ({ aliasOf }: Pick<SettingsTable<object>, 'aliasOf'>, name: string): readonly string[] =>
  aliasOf ? [name, aliasOf(name)] : [name];
