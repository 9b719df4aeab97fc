import type { Tx } from '../../../../kernel/store/index.ts';
import { CATALOGS } from '../../catalog/containers/catalogs.ts';
import { SCHEMAS } from '../../catalog/containers/schemas.ts';
import { requireManager } from '../../catalog/core/access.ts';
import { type Chain, findChain } from '../../catalog/core/chain.ts';
import type { SecurableKind } from '../../catalog/core/kind.ts';
import { metastoreIn, metastoreNow } from '../../catalog/core/metastore.ts';
import { changeFound } from '../../catalog/core/operations.ts';
import { dropConstraint } from '../../catalog/tables/constraints.ts';
import { changeTable } from '../../catalog/tables/create.ts';
import { TABLES } from '../../catalog/tables/kind.ts';
import { VOLUMES } from '../../catalog/volumes/kind.ts';
import { problems } from '../sql/problem.ts';
import type { Halt } from '../sql/run-statement.ts';
import type { Alteration, Change, Properties } from '../sql/statement-syntax.ts';
import { isColumnChange, prepareColumns } from './alter-columns.ts';
import { CHECK_PROPERTY, checksOf } from './assign.ts';
import { describedQuery, placeProperties } from './create-view.ts';
import { checkType } from './define.ts';
import { type Acting, fullParts, quotedName, shownName } from './find.ts';
import { propertiesOf } from './properties.ts';
import { isCode } from './refusals.ts';
import { type Effect, NO_RESULT } from './write.ts';

/** `ALTER` and `COMMENT ON`. */

/** Tables can be renamed by SQL, but not by the REST API. */
const RENAMED_TABLES: SecurableKind = { ...TABLES, renames: true };

const ALTERED: Readonly<Record<Alteration['kind'], { readonly kind: SecurableKind; readonly parts: 1 | 2 | 3 }>> = {
  catalog: { kind: CATALOGS, parts: 1 },
  schema: { kind: SCHEMAS, parts: 2 },
  table: { kind: RENAMED_TABLES, parts: 3 },
  view: { kind: RENAMED_TABLES, parts: 3 },
  volume: { kind: VOLUMES, parts: 3 },
};

export async function alter(acting: Acting, statement: Alteration, halt: Halt): Promise<Effect> {
  const { kind, parts: count } = ALTERED[statement.kind];
  const parts = fullParts(statement.name, acting.session, count);
  const metastore = await metastoreIn(acting);
  const find = async (tx: Tx | undefined): Promise<Chain> => {
    const now = tx ? await metastoreNow(tx, metastore) : metastore;
    const found = await findChain(
      tx ?? acting.jar.store,
      now,
      kind.type,
      parts.join('.'),
      tx ? { lock: 'update' } : {},
    ).catch((error: unknown) => {
      const isAbsent = kind.type === 'table' && isCode(error, '_DOES_NOT_EXIST');
      throw isAbsent ? problems.noTable(quotedName(statement.name.parts), statement.name.at) : error;
    });
    // `COMMENT ON TABLE` also accepts views.
    if (statement.change.is !== 'comment') checkType(statement.kind, found);
    requireManager(acting, found);
    return found;
  };
  const { change } = statement;
  if (isColumnChange(change)) return prepareColumns(acting, change, find, halt);
  const view =
    change.is === 'setQuery'
      ? await describedQuery(acting, { ...change, name: statement.name, columns: [] }, halt)
      : undefined;
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      const found = await find(tx);
      if (view && change.is === 'setQuery') {
        const properties = { ...propertiesOf(found), ...placeProperties(acting) };
        await changeTable(tx, acting, found, {
          operation: 'ALTER VIEW',
          columns: view.columns,
          viewDefinition: change.text,
          properties,
        });
      } else await applied(tx, acting, found, { kind, change });
    },
  };
}

interface Applied {
  readonly kind: SecurableKind;
  readonly change: Change;
}

async function applied(tx: Tx, acting: Acting, found: Chain, { kind, change }: Applied): Promise<void> {
  switch (change.is) {
    case 'setOwner':
      await changeFound(tx, acting, kind, found, { owner: change.owner });
      return;
    case 'rename':
      await changeFound(tx, acting, kind, found, { new_name: newName(acting, found, change.to) });
      return;
    case 'comment': {
      const { comment } = change;
      if (kind.type === 'table') await changeTable(tx, acting, found, { operation: 'COMMENT', comment });
      else await changeFound(tx, acting, kind, found, { comment: comment ?? '' });
      return;
    }
    case 'setProperties':
      refuseChecks(change.properties);
      await putProperties(tx, acting, found, kind, { ...propertiesOf(found), ...change.properties });
      return;
    case 'unsetProperties':
      await putProperties(tx, acting, found, kind, without(found, change));
      return;
    case 'dropConstraint':
      await dropNamed(tx, acting, found, change);
      return;
    default:
      throw new Error(`a change of columns is not applied here: ${change.is}`);
  }
}

/** The new name, which must be in the same schema. */
function newName(
  { session }: Acting,
  { target, above }: Chain,
  to: { readonly parts: readonly string[]; readonly at: { readonly line: number; readonly column: number } },
): string {
  const count = above.length as 1 | 2 | 3;
  const parts = fullParts(to, session, count);
  const own = above.slice(0, -1).toReversed();
  const isSame = to.parts.length === 1 || own.every(({ name }, index) => name === parts[index]?.toLowerCase());
  if (!isSame) throw problems.unsupported(`'${target.name}' cannot be moved elsewhere by a new name`);
  return parts.at(-1) as string;
}

function refuseChecks(properties: Properties): void {
  const found = Object.keys(properties).find((key) => key.startsWith(CHECK_PROPERTY));
  if (found !== undefined)
    throw problems.badParameter(found, 'use ALTER TABLE ADD CONSTRAINT to add CHECK constraints');
}

async function putProperties(
  tx: Tx,
  acting: Acting,
  found: Chain,
  kind: SecurableKind,
  properties: Properties,
): Promise<void> {
  if (kind.type === 'table') await changeTable(tx, acting, found, { operation: 'SET TBLPROPERTIES', properties });
  else await changeFound(tx, acting, kind, found, { properties });
}

function without(found: Chain, { names, ifExists }: Extract<Change, { is: 'unsetProperties' }>): Properties {
  const properties = propertiesOf(found);
  const missing = names.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined && !ifExists) throw problems.noProperty(missing, shownName(found));
  return Object.fromEntries(
    Object.entries(properties).filter(([key]) => !names.includes(key) || key.startsWith(CHECK_PROPERTY)),
  );
}

/** `CHECK` constraints are properties; keys are records of the catalog. */
async function dropNamed(
  tx: Tx,
  acting: Acting,
  found: Chain,
  { name, ifExists }: Extract<Change, { is: 'dropConstraint' }>,
): Promise<void> {
  const check = checksOf(found.target.fields.properties).find((each) => each.name === name.toLowerCase());
  if (check) {
    const { [`${CHECK_PROPERTY}${check.name}`]: _dropped, ...properties } = propertiesOf(found);
    await changeTable(tx, acting, found, { operation: 'DROP CONSTRAINT', properties });
    return;
  }
  try {
    await dropConstraint(tx, acting, found, name, false);
  } catch (error) {
    if (!isCode(error, '_DOES_NOT_EXIST')) throw error;
    if (!ifExists) throw problems.noConstraint(name, shownName(found));
  }
}
