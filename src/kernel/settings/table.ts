import type { Limit } from '../limits/index.ts';
import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

export interface Row {
  readonly title: string;
  /** The accepted range, inclusive; durations in milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** A number. A duration is written in milliseconds or as text (`30s`, `3.00:00:00`). */
export interface NumberRow extends Row {
  readonly kind: 'duration' | 'count';
  /** If absent, the setting has no value by default. */
  readonly default?: number;
  /** Names that the value may depend on: a list of cases is then accepted instead of a number. */
  readonly by?: readonly string[];
}

/** A list of durations. */
export interface DurationsRow extends Row {
  readonly kind: 'durations';
  readonly default: readonly number[];
}

/** The maximum of a limit. Changes are stored as overrides of the limit, so that there is only one number, however it is changed. */
export interface LimitRow extends Row {
  readonly kind: 'limit';
  readonly limit: Limit;
}

/** A boolean. */
export interface FlagRow extends Pick<Row, 'title'> {
  readonly kind: 'flag';
  readonly default: boolean;
}

export type SettingRow = NumberRow | DurationsRow | LimitRow | FlagRow;

/** A value that applies if all given names match; the first matching case wins. */
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

/**
 * The type of the settings in force for a table of rows, durations in milliseconds. Limits are not included; they are read from the limits.
 */
export type SettingsOf<Rows> = { readonly [N in keyof WithDefault<Kept<Rows>>]: ValueOf<Rows[N & keyof Rows]> } & {
  readonly [N in keyof WithoutDefault<Kept<Rows>>]?: ValueOf<Rows[N & keyof Rows]>;
};

/** The settings of a service that can be changed at run time. Consists of data, so that a manifest can contain it. */
export interface SettingsTable<S extends object> {
  /** The name of the service: settings are configured under `services.<service>` and changed by `PATCH /_jar/<service>/settings`. */
  readonly service: string;
  /** Describes what the settings are about. */
  readonly about: string;
  readonly rows: Readonly<Record<string, SettingRow>>;
  readonly defaults: S;
  /** The run-time changes, in one document. Cached, because any request may read it, and so that every node is notified of changes. */
  readonly changed: Collection<Partial<S>>;
  /** Returns a second accepted name of a setting. */
  aliasOf?(name: string): string;
}

/** The key of the one document of `changed`. */
export const SETTINGS_KEY = 'settings';

export interface SettingsOptions<Rows> {
  readonly about: string;
  readonly rows: Rows;
  aliasOf?(name: string): string;
}

/** Declares the changeable settings of a service; changes are stored in the collection `<service>.settings`. */
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
    // Built from the rows that also determine the type.
    defaults: Object.fromEntries(given) as SettingsOf<Rows>,
    changed: collection<Partial<SettingsOf<Rows>>>(`${service}.settings`, { cached: true }),
    ...(aliasOf && { aliasOf }),
  };
}

/** All names under which a setting is accepted. */
export const spellingsOf = ({ aliasOf }: Pick<SettingsTable<object>, 'aliasOf'>, name: string): readonly string[] =>
  aliasOf ? [name, aliasOf(name)] : [name];
