import { type TObject, type TSchema, Type } from 'typebox';
import type { Config } from '../config/config.ts';
import type { Limits } from '../limits/index.ts';
import { applyConfigured } from './configured.ts';
import { type SettingRow, type SettingsTable, spellingsOf } from './table.ts';

interface CheckedJar {
  readonly config: Config;
  readonly limits: Limits;
}

export interface RulesOptions<Properties> {
  /** Additional configuration properties besides the rows of the table. */
  readonly properties?: Properties;
  check?(jar: CheckedJar): void;
}

/** The configuration rules of `services.<name>` for a service with changeable settings. */
export function settingsRules<Properties extends Readonly<Record<string, TSchema>>>(
  table: SettingsTable<object>,
  { properties, check }: RulesOptions<Properties> = {},
): { readonly schema: TObject; check(jar: CheckedJar): void } {
  return {
    schema: Type.Object({ ...rowProperties(table), ...properties }, { additionalProperties: false }),
    check(jar) {
      applyConfigured(table, jar);
      check?.(jar);
    },
  };
}

/** A property for each spelling of each row; ranges are checked when the values are read. */
function rowProperties(table: SettingsTable<object>): Record<string, TSchema> {
  const entries = Object.entries(table.rows).flatMap(([name, row]) => {
    const schema = Type.Optional({ ...schemaOf(row), description: row.title } as TSchema);
    return spellingsOf(table, name).map((spelling): [string, TSchema] => [spelling, schema]);
  });
  return Object.fromEntries(entries);
}

function schemaOf(row: SettingRow): TSchema {
  const duration = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })]);
  const count = Type.Integer({ minimum: 0 });
  switch (row.kind) {
    case 'durations':
      return Type.Array(duration);
    case 'flag':
      return Type.Boolean();
    case 'limit':
      return count;
    default: {
      const value = row.kind === 'duration' ? duration : count;
      return row.by ? casesOf(row.by, value) : value;
    }
  }
}

function casesOf(by: readonly string[], value: TSchema): TSchema {
  const names = by.map((name) => [name, Type.Optional(Type.String({ minLength: 1 }))]);
  const properties: Record<string, TSchema> = { ...Object.fromEntries(names), value };
  return Type.Union([value, Type.Array(Type.Object(properties, { additionalProperties: false }))]);
}
