import type { Config } from '../config/config.ts';
import type { Route } from '../http/route.ts';
import type { Limits } from '../limits/index.ts';
import type { Store, Tx } from '../store/types.ts';
import { formatDuration } from '../time/duration.ts';
import { readConfigured } from './configured.ts';
import { settingsControl } from './control.ts';
import type { ReadSettings } from './read.ts';
import { type LimitRow, SETTINGS_KEY, type SettingRow, type SettingsTable } from './table.ts';

/** The parts of the jar that settings are read from and written to. */
export interface SettingsHost {
  readonly config: Config;
  readonly store: Store;
  readonly limits: Limits;
}

export type SettingSource = 'default' | 'configuration' | 'run time';

export interface SettingView {
  /** Null if there is no value. */
  readonly value: unknown;
  /** A duration in readable form. */
  readonly text?: string;
  readonly source: SettingSource;
  readonly summary: string;
}

/** The settings of an open service. Run-time changes take precedence over the configuration, and that over the defaults. */
export class OpenSettings<S extends object> {
  readonly table: SettingsTable<S>;
  /** `GET` and `PATCH /_jar/<service>/settings`. */
  readonly control: readonly Route[];
  readonly #host: SettingsHost;
  readonly #configured: Partial<S>;
  readonly #configuredLimits: ReadonlySet<string>;

  constructor(table: SettingsTable<S>, host: SettingsHost) {
    this.table = table;
    this.#host = host;
    const { values, limits } = readConfigured(table, host.config);
    this.#configured = withoutNulls<S>(values);
    this.#configuredLimits = new Set(limits.map(({ name }) => name));
    this.control = settingsControl(this);
  }

  /** Returns the settings in force; after the first call from the cache. */
  async current(): Promise<S> {
    const { store } = this.#host;
    const { changed } = this.table;
    const stored = store.peek(changed, SETTINGS_KEY) ?? (await store.cached(changed, SETTINGS_KEY));
    return this.#settled(stored?.value);
  }

  /** Returns the settings in force, read in a transaction. */
  async within(tx: Pick<Tx, 'get'>): Promise<S> {
    return this.#settled(await this.#changed(tx));
  }

  /** Writes all changes; they are in force on all nodes immediately. */
  async change({ values, limits }: ReadSettings<S>): Promise<void> {
    const { changed } = this.table;
    await this.#host.store.transact(async (tx) => {
      await tx.lock(changed.name);
      const before = (await tx.get(changed, SETTINGS_KEY))?.value ?? {};
      await tx.put(changed, SETTINGS_KEY, withoutNulls<S>({ ...before, ...values }));
    });
    const changes = limits.map(({ name, limit }) => ({ name, limit }));
    if (changes.length > 0) await this.#host.limits.overrides.apply(changes);
  }

  /** Returns every setting with the source of its value. */
  async view(): Promise<Readonly<Record<string, SettingView>>> {
    const changed = await this.#host.store.transact((tx) => this.#changed(tx));
    const effective = valuesOf(this.#settled(changed));
    const wasChanged = valuesOf(changed ?? {});
    const configured = valuesOf(this.#configured);
    const views = Object.entries(this.table.rows).map(([name, row]): [string, SettingView] => {
      if (row.kind === 'limit') return [name, this.#limitView(row)];
      const value = effective[name];
      const source = sourceOf(wasChanged[name] !== undefined, configured[name] !== undefined);
      return [name, { value: value ?? null, ...textOf(row, value), source, summary: row.title }];
    });
    return Object.fromEntries(views);
  }

  #limitView({ limit, title }: LimitRow): SettingView {
    const { overrides } = this.#host.limits;
    const isChanged = overrides.list(limit.name).some((each) => !each.scope && each.limit !== undefined);
    return {
      value: overrides.rulesOf(limit).general.maximum,
      source: sourceOf(isChanged, this.#configuredLimits.has(limit.name)),
      summary: `${title}: the limit '${limit.name}'`,
    };
  }

  async #changed(tx: Pick<Tx, 'get'>): Promise<Partial<S> | undefined> {
    return (await tx.get(this.table.changed, SETTINGS_KEY, 'none'))?.value;
  }

  #settled(changed: Partial<S> | undefined): S {
    return { ...this.table.defaults, ...this.#configured, ...changed };
  }
}

export const openSettings = <S extends object>(table: SettingsTable<S>, host: SettingsHost): OpenSettings<S> =>
  new OpenSettings(table, host);

/** A reset setting is not stored at all. */
const withoutNulls = <S extends object>(values: ReadSettings<S>['values']): Partial<S> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<S>;

const valuesOf = (settings: object): Readonly<Record<string, unknown>> => ({ ...settings });

const sourceOf = (isChanged: boolean, isConfigured: boolean): SettingSource =>
  isChanged ? 'run time' : isConfigured ? 'configuration' : 'default';

const textOf = ({ kind, by }: Pick<SettingRow, 'kind'> & { by?: unknown }, value: unknown): { text?: string } =>
  kind === 'duration' && by === undefined && typeof value === 'number' ? { text: formatDuration(value) } : {};
